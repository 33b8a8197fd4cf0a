import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AccountId } from "../ids.ts";
import { type TestOperator, testOperator } from "../testing/test-operator.ts";
import { addOperator, addPerson, addTotp, newOrigin, signIn, tokenOf } from "../testing/test-people.ts";
import { openTestServices, TEST_KEY_RING, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
let operator: TestOperator;
let accountId: AccountId;
beforeAll(async () => {
  services = await openTestServices();
  operator = testOperator(services.databaseUrl, TEST_KEY_RING);
  accountId = await services.addAccount();
});
afterAll(() => services.dispose());

const newEmail = () => `${randomUUID()}@buyer.example`;
const inviting = (email: string, account: string = accountId, role = "owner") => [
  ...["user", "invite", "--account", account, "--role", role, "--email", email],
];

async function expectRefusal(args: readonly string[], reason: RegExp): Promise<void> {
  const ran = await operator.run(args);
  expect(ran).toMatchObject({ exitCode: 1, stdout: "" });
  expect(ran.stderr).toMatch(reason);
  expect(ran.stderr).toMatch(/^Next step: /m);
}

describe("user invite", () => {
  it("prints a link that lets in the person it is for, and says until when", async () => {
    const email = newEmail();
    const { link, ...rest } = await operator.json(inviting(email, accountId, "billing"));
    expect(rest).toEqual({ email, accountId, role: "billing", expiresAt: expect.stringMatching(/Z$/) });
    expect(link).toMatch(/^http:\/\/localhost:8080\/account\/#invitation=[\w-]{43}$/);
    const { invitations } = services.people;
    await invitations.accept({
      token: tokenOf(link),
      password: "a password of Ada's",
      name: "Ada",
      ...newOrigin(),
    });
    expect(await operator.json(["user", "list", "--account", accountId])).toContainEqual({
      userId: expect.stringMatching(/^usr_[0-9a-f]{32}$/),
      email,
      name: "Ada",
      createdAt: expect.stringMatching(/Z$/),
      hasSecondFactor: false,
      memberships: [{ accountId, accountName: "Test account", role: "billing" }],
    });
  });

  it("refuses who has no password since a reset, and says what to do", async () => {
    const { email } = await addPerson(services, accountId);
    const { link } = await operator.json(["user", "reset", email]);
    await expectRefusal(inviting(email.toUpperCase()), new RegExp(`user reset ${email}`));
    const password = "another password of Ada's";
    const { invitations } = services.people;
    await invitations.accept({ token: tokenOf(link), password, name: null, ...newOrigin() });
    const invited = await operator.json(inviting(email, await services.addAccount()));
    await invitations.accept({ token: tokenOf(invited.link), password, name: null, ...newOrigin() });
  });

  it("says so where account, role or e-mail cannot be that", async () => {
    const nowhere = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
    await expectRefusal(inviting(newEmail(), nowhere), /There is no account/);
    await expectRefusal(inviting(newEmail(), accountId, "admin"), /owner, developer, billing/);
    await expectRefusal(inviting("Ada"), /Write an e-mail address/);
  });
});

describe("operators of the console", () => {
  const invite = (email: string, role: string) => ["user", "invite", "--role", role, "--email", email];
  const list = () => operator.json(["user", "list", "--operators"]);

  it("are invited without an account, listed and removed, but for the last admin", async () => {
    expect((await operator.run(["user", "list", "--operators"])).stdout).toMatch(/no operators yet/);
    const email = `${randomUUID()}@shop.example`;
    const { link, ...rest } = await operator.json(invite(email, "admin"));
    expect(rest).toEqual({ email, accountId: null, role: "admin", expiresAt: expect.stringMatching(/Z$/) });
    expect(link).toMatch(/^http:\/\/localhost:8081\/operator\/#invitation=[\w-]{43}$/);
    const acceptance = { token: tokenOf(link), password: "a password of Grace's", name: "Grace" };
    await services.people.operators.invitations.accept({ ...acceptance, ...newOrigin() });
    const shown = { email, name: "Grace", role: "admin", hasSecondFactor: false };
    expect(await list()).toEqual([expect.objectContaining(shown)]);
    expect((await operator.run(["user", "list", "--operators"])).stdout).toMatch(
      new RegExp(`${email} +Grace +admin +no `),
    );
    await expectRefusal(["user", "remove", email], /no admin any more/);

    const { email: other } = await addOperator(services, "viewer");
    expect((await operator.json(["user", "reset", other])).link).toContain("/operator/#invitation=");
    await operator.json(["user", "remove", other]);
    expect(await list()).toHaveLength(1);
    await expectRefusal(["user", "remove", other], /There is no operator/);
  });

  it("are told that their link has no page, as members are not", async () => {
    const told = async (args: readonly string[]) => (await operator.run(args)).stdout;
    expect(await told(invite(newEmail(), "viewer"))).toContain("POST /operator/v1/invitation/acceptance");
    expect(await told(inviting(newEmail(), accountId))).not.toContain("no page");
  });

  it("have roles of their own", async () => {
    await expectRefusal(invite(newEmail(), "owner"), /viewer, support, finance, admin.*add --account/s);
    await expectRefusal(inviting(newEmail(), accountId, "admin"), /owner, developer, billing.*leave out/s);
    await expectRefusal(invite(newEmail(), "root"), /Allowed choices/);
    await expectRefusal(["user", "list", "--operators", "--account", accountId], /cannot be used with/);
  });
});

describe("user list", () => {
  it("shows everybody with their accounts, and who has a second factor", async () => {
    const person = await addPerson(services, accountId);
    await addTotp(services, await signIn(services, person));
    const { stdout } = await operator.run(["user", "list"]);
    expect(stdout).toMatch(new RegExp(`${person.email} +Ada +${accountId} +owner +yes `));
    await services.people.remove(person.email, accountId);
    expect((await operator.run(["user", "list"])).stdout).toMatch(
      new RegExp(`${person.email} +Ada +- +- +yes `),
    );
    expect(await operator.json(["user", "list", "--account", await services.addAccount()])).toEqual([]);
  });
});

describe("user remove, reset and end-sessions", () => {
  it("end the person's sessions", async () => {
    const person = await addPerson(services, accountId);
    const lives = async (token: string) => (await services.people.sessions.authenticate(token)) !== null;
    const first = await signIn(services, person);
    expect(await operator.json(["user", "end-sessions", person.email])).toEqual({
      email: person.email,
      endedSessions: 1,
    });
    expect(await lives(first.token)).toBe(false);

    const second = await signIn(services, person);
    const { link, accountId: account } = await operator.json(["user", "reset", person.email]);
    expect([await lives(second.token), account]).toEqual([false, null]);
    const { invitations } = services.people;
    await invitations.accept({ token: tokenOf(link), password: person.password, name: null, ...newOrigin() });

    const third = await signIn(services, person);
    await operator.json(["user", "remove", person.email, "--account", accountId]);
    expect(await lives(third.token)).toBe(false);
  });

  it("say so where there is no such person", async () => {
    const email = newEmail();
    for (const args of [
      ["reset", email],
      ["end-sessions", email],
      ["remove", email, "--account", accountId],
    ])
      await expectRefusal(["user", ...args], /There is no user .*\n.*user list/);
  });
});
