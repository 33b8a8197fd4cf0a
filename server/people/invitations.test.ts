import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AccountId } from "../ids.ts";
import { type FixedClock, fixedClock } from "../testing/fixed-clock.ts";
import { addPerson, addTotp, newOrigin, signIn, tokenOf } from "../testing/test-people.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { INVITATION_MS } from "./person.ts";

const PASSWORD = "correct horse battery";

let time: FixedClock;
let services: TestServices;
let accountId: AccountId;
beforeAll(async () => {
  time = fixedClock("2026-03-01T12:00:00Z");
  services = await openTestServices(time.clock, { publicUrl: "https://shop.example" });
  accountId = await services.addAccount();
});
// Ends with the audit.
afterAll(() => services.dispose());

const newEmail = () => `Ada-${randomUUID()}@Buyer.example`;
const accept = (link: string, { password = PASSWORD, name = "Ada" as string | null } = {}) =>
  services.people.invitations.accept({ token: tokenOf(link), password, name, ...newOrigin() });
const memberOf = async (id: AccountId, email: string) =>
  (await services.people.list(id)).find((user) => user.email === email);

test("who is new accepts with a name and a password, and is a member from then on", async () => {
  const email = newEmail();
  const { link, ...invitation } = await services.people.invitations.invite(email, accountId, "developer");
  expect(link).toMatch(/^https:\/\/shop\.example\/account\/#invitation=[\w-]{43}$/);
  expect(await services.people.invitations.show(tokenOf(link))).toEqual({
    ...invitation,
    accountName: "Test account",
    hasPassword: false,
  });
  const user = await accept(link, { name: "Ada Lovelace" });
  expect(user).toMatchObject({ email, name: "Ada Lovelace", createdAtMs: time.clock() });
  expect(await memberOf(accountId, email)).toEqual({
    userId: user.userId,
    email,
    name: "Ada Lovelace",
    createdAtMs: time.clock(),
    hasSecondFactor: false,
    memberships: [{ accountId, accountName: "Test account", role: "developer" }],
  });
  const { signedIn } = await signIn(services, { email: email.toUpperCase(), password: PASSWORD });
  expect(signedIn.user.userId).toBe(user.userId);
});

test("nothing that could let anybody in is in the database", async () => {
  const person = await addPerson(services, accountId);
  const begun = await signIn(services, person);
  const { recoveryCodes, secret } = await addTotp(services, begun);
  const { link } = await services.people.invitations.invite(person.email, accountId, "owner");
  const secrets = [person.password, begun.token, tokenOf(link), secret, ...recoveryCodes];
  for (const table of ["users", "invitations", "sessions", "totp_secrets", "recovery_codes"]) {
    const rows = await services.database.rows<Record<string, unknown>>(`SELECT * FROM ${table}`);
    expect(rows.length, table).toBeGreaterThan(0);
    const values = rows.flatMap((row) => Object.values(row)).map((value) => `${value}`);
    for (const text of secrets) {
      expect(values.filter((value) => value.includes(text))).toEqual([]);
      expect(values.filter((value) => value.includes(text.replaceAll("-", "")))).toEqual([]);
    }
  }
});

test("a link is used once, also by two at the same moment", async () => {
  const { link } = await services.people.invitations.invite(newEmail(), accountId, "owner");
  const outcomes = await Promise.allSettled([accept(link), accept(link), accept(link)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(accept(link)).rejects.toMatchObject({ code: "invitation_gone" });
  await expect(services.people.invitations.show(tokenOf(link))).rejects.toMatchObject({
    code: "invitation_gone",
  });
});

test("a link ends after half an hour, and when a newer one is made for the same", async () => {
  const email = newEmail();
  const first = await services.people.invitations.invite(email, accountId, "owner");
  const second = await services.people.invitations.invite(email.toLowerCase(), accountId, "billing");
  await expect(accept(first.link)).rejects.toMatchObject({ code: "invitation_gone" });
  time.advance(INVITATION_MS - 1);
  await services.people.invitations.show(tokenOf(second.link));
  time.advance(1);
  await expect(accept(second.link)).rejects.toMatchObject({ code: "invitation_gone" });
  expect(await memberOf(accountId, email)).toBeUndefined();
});

test.each([
  ["a text that is none", "no token"],
  ["nothing", ""],
])("%s is no link", async (_, token) => {
  await expect(services.people.invitations.show(token)).rejects.toMatchObject({ code: "invitation_gone" });
});

test("who is a user already confirms with their password, and keeps it", async () => {
  const { email, password, name } = await addPerson(services, accountId);
  const other = await services.addAccount();
  const { link } = await services.people.invitations.invite(email, other, "billing");
  expect(await services.people.invitations.show(tokenOf(link))).toMatchObject({ hasPassword: true });
  await expect(accept(link)).rejects.toMatchObject({ code: "sign_in_refused" });
  expect(await memberOf(other, email)).toBeUndefined();
  await accept(link, { password, name: "Somebody else" });
  expect(await memberOf(other, email)).toMatchObject({ name, memberships: [{ role: "billing" }] });
  const { signedIn } = await signIn(services, { email, password });
  expect(signedIn.memberships.map(({ role }) => role)).toEqual(["owner", "billing"]);
});

test("a member who is invited again gets the other role", async () => {
  const { email, password } = await addPerson(services, accountId, "billing");
  const { link } = await services.people.invitations.invite(email, accountId, "owner");
  await accept(link, { password });
  expect(await memberOf(accountId, email)).toMatchObject({ memberships: [{ accountId, role: "owner" }] });
});

test("two invitations of one new person to two accounts make one user", async () => {
  const email = newEmail();
  const other = await services.addAccount();
  const [one, two] = [
    await services.people.invitations.invite(email, accountId, "owner"),
    await services.people.invitations.invite(email, other, "owner"),
  ];
  await Promise.allSettled([accept(one.link), accept(two.link)]);
  const again = async (link: string) =>
    accept(link).catch((error) => expect(error).toMatchObject({ code: "invitation_gone" }));
  await again(one.link);
  await again(two.link);
  expect((await services.people.list(null)).filter((user) => user.email === email)).toHaveLength(1);
  expect(await memberOf(accountId, email)).toBeDefined();
  expect(await memberOf(other, email)).toBeDefined();
});

test("a reset takes password, factor and sessions away at once; its link sets another password", async () => {
  const person = await addPerson(services, accountId);
  const begun = await signIn(services, person);
  await addTotp(services, begun);
  const { link, membership } = await services.people.invitations.reset(person.email.toUpperCase());
  expect(membership).toBeNull();
  expect(await services.people.sessions.authenticate(begun.token)).toBeNull();
  await expect(signIn(services, person)).rejects.toMatchObject({ code: "sign_in_refused" });
  expect(await services.people.invitations.show(tokenOf(link))).toMatchObject({
    accountName: null,
    hasPassword: false,
  });

  // Who only has a link to an account does not become this user.
  const { userId } = begun.signedIn.user;
  const by = { userId, email: person.email, ...newOrigin() };
  const invited = await services.people.invitations.invite(person.email, accountId, "owner", by);
  expect(await services.people.invitations.show(tokenOf(invited.link))).toMatchObject({ hasPassword: true });
  await expect(accept(invited.link)).rejects.toMatchObject({ code: "sign_in_refused" });
  expect((await accept(link, { name: null })).name).toBe(person.name);
  const again = await signIn(services, { email: person.email, password: PASSWORD });
  expect(again.signedIn.session.awaitsFactor).toBe(false);
  await accept(invited.link);
  await expect(services.people.invitations.reset(newEmail())).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  ["email", { email: "ada" }],
  ["email", { email: `${"a".repeat(250)}@buyer.example` }],
  ["name", { name: " " }],
  ["name", { name: "x".repeat(201) }],
  ["password", { password: "eleven char" }],
  ["password", { password: "x".repeat(201) }],
])("a wrong %s is refused at its field, and leaves the link as it is", async (field, wrong) => {
  const { email = newEmail(), ...rest } = wrong as { email?: string };
  const refusal = { code: "invalid_input", facts: { field } };
  if (field === "email") {
    await expect(services.people.invitations.invite(email, accountId, "owner")).rejects.toMatchObject(
      refusal,
    );
    return;
  }
  const { link } = await services.people.invitations.invite(email, accountId, "owner");
  await expect(accept(link, rest)).rejects.toMatchObject(refusal);
  await accept(link);
});

test("nobody is invited to an account that is not there", async () => {
  const nowhere = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
  await expect(services.people.invitations.invite(newEmail(), nowhere, "owner")).rejects.toMatchObject({
    code: "not_found",
  });
});

test("the only owner does not lose the role by another invitation, which stays good for when there is a second", async () => {
  const other = await services.addAccount();
  const owner = await addPerson(services, other);
  const { link } = await services.people.invitations.invite(owner.email, other, "billing");
  const accept = () =>
    services.people.invitations.accept({
      ...{ token: tokenOf(link), password: owner.password, name: null, address: newOrigin().address },
    });
  await expect(accept()).rejects.toMatchObject({ code: "last_owner" });
  await addPerson(services, other);
  await accept();
  const members = await services.people.list(other);
  expect(members.find(({ userId }) => userId === owner.userId)?.memberships).toMatchObject([
    { role: "billing" },
  ]);
});
