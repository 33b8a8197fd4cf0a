import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import {
  addOperator,
  addPerson,
  newOrigin,
  openConsole,
  signIn,
  signInOperator,
  tokenOf,
} from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { InvitationGoneError, LastAdminError, SignInRefusedError } from "./errors.ts";
import { mayOperateAs, OPERATOR_ROLES } from "./person.ts";
import type { NewSession } from "./sessions.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let time: FixedClock;
let services: TestServices;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  services = await openTestServices(time.clock);
});
afterAll(() => services.dispose());

const lives = async ({ token }: NewSession) =>
  (await services.people.operators.sessions.authenticate(token)) !== null;

it("lets an operator into the console, in their role, and not into the account center", async () => {
  const person = await addOperator(services, "support");
  const { token, signedIn } = await signInOperator(services, person);
  expect(signedIn).toMatchObject({ operatorRole: "support", memberships: [], user: { email: person.email } });
  expect(await services.people.sessions.authenticate(token)).toBeNull();
  await expect(signIn(services, person)).rejects.toThrow(SignInRefusedError);
});

it("lets no member of an account into the console", async () => {
  const person = await addPerson(services, await services.addAccount());
  const { token } = await signIn(services, person);
  expect(await services.people.operators.sessions.authenticate(token)).toBeNull();
  await expect(signInOperator(services, person)).rejects.toThrow(SignInRefusedError);
});

it("ends a session half an hour after its last use, and 12 hours after its beginning", async () => {
  const person = await addOperator(services, "viewer");
  const idle = await signInOperator(services, person);
  time.advance(30 * MINUTE_MS - 1);
  expect(await lives(idle)).toBe(true);
  time.advance(30 * MINUTE_MS);
  expect(await lives(idle)).toBe(false);

  const used = await signInOperator(services, person);
  for (let passed = 0; passed < 12 * HOUR_MS - 20 * MINUTE_MS; passed += 20 * MINUTE_MS) {
    time.advance(20 * MINUTE_MS);
    expect(await lives(used)).toBe(true);
  }
  time.advance(20 * MINUTE_MS);
  expect(await lives(used)).toBe(false);
});

it("keeps who loses the role out from the next request on, also when they get it again", async () => {
  const person = await addOperator(services, "finance");
  const session = await openConsole(services, person);
  await services.people.operators.remove(person.userId);
  expect(await lives(session)).toBe(false);
  await expect(signInOperator(services, person)).rejects.toThrow(SignInRefusedError);

  const { link } = await services.people.operators.invitations.inviteOperator(person.email, "viewer");
  const acceptance = { token: tokenOf(link), password: person.password, name: null };
  await services.people.operators.invitations.accept({ ...acceptance, ...newOrigin() });
  expect(await lives(session)).toBe(false);
});

it("changes the role of who is an operator already, from the next request on", async () => {
  const person = await addOperator(services, "finance");
  const { token } = await signInOperator(services, person);
  const { link } = await services.people.operators.invitations.inviteOperator(person.email, "viewer");
  const acceptance = { token: tokenOf(link), password: person.password, name: null };
  await services.people.operators.invitations.accept({ ...acceptance, ...newOrigin() });
  const signedIn = await services.people.operators.sessions.authenticate(token);
  expect(signedIn?.operatorRole).toBe("viewer");
});

it("takes a link of the console on its own page alone, and asks who is known for their password", async () => {
  const accountId = await services.addAccount();
  const member = await addPerson(services, accountId);
  const { invitations, operators } = services.people;
  const { link } = await operators.invitations.inviteOperator(member.email, "admin");
  expect(link).toMatch(/^http:\/\/localhost:8081\/operator\/#invitation=[\w-]{43}$/);
  const token = tokenOf(link);
  await expect(invitations.show(token)).rejects.toThrow(InvitationGoneError);
  const asMember = { token, password: member.password, name: null, ...newOrigin() };
  await expect(invitations.accept(asMember)).rejects.toThrow(InvitationGoneError);
  expect(await operators.invitations.show(token)).toMatchObject({ operatorRole: "admin", hasPassword: true });
  await expect(operators.invitations.accept({ ...asMember, password: "not theirs at all" })).rejects.toThrow(
    SignInRefusedError,
  );
  await operators.invitations.accept(asMember);
  await expect(operators.invitations.accept(asMember)).rejects.toThrow(InvitationGoneError);
  expect((await signInOperator(services, member)).signedIn.operatorRole).toBe("admin");
  expect((await signIn(services, member)).signedIn.memberships).toHaveLength(1);

  const toAccount = await invitations.invite(`${randomUUID()}@buyer.example`, accountId, "owner");
  await expect(operators.invitations.show(tokenOf(toAccount.link))).rejects.toThrow(InvitationGoneError);
});

it("leaves what somebody does in the console out of the activity of their accounts", async () => {
  const accountId = await services.addAccount();
  const member = await addPerson(services, accountId);
  const { link } = await services.people.operators.invitations.inviteOperator(member.email, "viewer");
  const acceptance = { token: tokenOf(link), password: member.password, name: null };
  await services.people.operators.invitations.accept({ ...acceptance, ...newOrigin() });
  const entries = async () => (await services.activity.page(accountId, { limit: 200 })).entries;
  const before = await entries();
  const { signedIn } = await signInOperator(services, member);
  const { token } = await signInOperator(services, member);
  const by = { ...member, ...newOrigin() };
  expect(await services.people.operators.sessions.endOthers(signedIn.session.sessionId, by)).toBe(1);
  expect(await services.people.operators.sessions.authenticate(token)).toBeNull();
  expect(await entries()).toEqual(before);
});

it("gives who runs the shop a link to the console when they are reset", async () => {
  const person = await addOperator(services, "viewer");
  const session = await openConsole(services, person);
  const { link } = await services.people.reset(person.email.toUpperCase());
  expect(link).toContain("/operator/#invitation=");
  expect(await lives(session)).toBe(false);
  const password = "another password of Grace's";
  await services.people.operators.invitations.accept({
    ...{ token: tokenOf(link), password, name: null },
    ...newOrigin(),
  });
  const { signedIn } = await signInOperator(services, { email: person.email, password });
  expect(signedIn).toMatchObject({ operatorRole: "viewer", secondFactors: [] });

  const member = await addPerson(services, await services.addAccount());
  expect((await services.people.reset(member.email)).link).toContain("/account/#invitation=");
});

it("keeps the last admin, also of two who leave at once", async () => {
  const own = await openTestServices();
  try {
    const { operators } = own.people;
    const [one, two] = [await addOperator(own), await addOperator(own)];
    const left = await Promise.allSettled([one, two].map(({ userId }) => operators.remove(userId)));
    expect(left.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const [last] = await operators.list();
    if (last === undefined) throw new Error("Nobody is left.");
    await expect(operators.remove(last.userId)).rejects.toThrow(LastAdminError);
    const { password } = last.email === one.email ? one : two;
    const { link } = await operators.invitations.inviteOperator(last.email, "viewer");
    const demotion = { token: tokenOf(link), password, name: null, ...newOrigin() };
    await expect(operators.invitations.accept(demotion)).rejects.toThrow(LastAdminError);
    await addOperator(own);
    await operators.invitations.accept(demotion);
    expect((await operators.list()).map(({ role }) => role).toSorted()).toEqual(["admin", "viewer"]);
  } finally {
    await own.dispose();
  }
});

it("lets an admin do everything, everybody look, and others only what is theirs", () => {
  const may = (role: (typeof OPERATOR_ROLES)[number]) =>
    OPERATOR_ROLES.filter((needed) => mayOperateAs(role, needed));
  expect(may("admin")).toEqual(OPERATOR_ROLES);
  expect(may("viewer")).toEqual(["viewer"]);
  expect(may("support")).toEqual(["viewer", "support"]);
  expect(may("finance")).toEqual(["viewer", "finance"]);
});
