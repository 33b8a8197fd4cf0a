import { type Command, Option } from "commander";
import { InvalidInputError } from "../errors.ts";
import type { AccountId } from "../ids.ts";
import type { InvitationLink } from "../people/invitations.ts";
import type { People } from "../people/people.ts";
import {
  OPERATOR_ROLES,
  type Operator,
  type OperatorRole,
  ROLES,
  type Role,
  type UserWithMemberships,
} from "../people/person.ts";
import { accountId, text } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { details, isoTime, type Report, table } from "./report.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
const EXAMPLE_EMAIL = "ada@buyer.example";
const EXAMPLE_OPERATOR = "grace@shop.example";

const CONSOLE_PATH = "/operator/";
/** What a person who opens the link would otherwise have to find out. */
const WITHOUT_PAGE =
  "The console has no page yet. Until it has one, POST /operator/v1/invitation/acceptance takes what stands behind invitation=.";

interface InviteOptions {
  account?: AccountId;
  role: Role | OperatorRole;
  email: string;
}

/** `user invite|list|remove|reset|end-sessions`. */
export function addUserCommands(program: Command, run: Run): void {
  const group = addGroup(program, "user", "the people who sign in");
  addInviteCommand(group, run);
  addListCommand(group, run);

  addCommand(
    group,
    "remove",
    "take a member out of an account, or an operator's role away; their sessions end at once",
    [`user remove ${EXAMPLE_EMAIL} --account ${EXAMPLE_ACCOUNT}`, `user remove ${EXAMPLE_OPERATOR}`],
  )
    .argument("<email>", "the person's e-mail", text)
    .option("--account <id>", "the account; without it the person is no operator any more", accountId)
    .action((email: string, { account }: { account?: AccountId }) =>
      run(async ({ people }) => {
        if (account === undefined) await people.operators.removeByEmail(email);
        else await people.remove(email, account);
        const what = account === undefined ? "no operator" : `no member of ${account}`;
        return { json: { email, accountId: account ?? null }, text: `${email} is ${what} any more.` };
      }),
    );

  addCommand(
    group,
    "reset",
    "take a person's password and second factor away, end their sessions, and print a link to choose a new password",
    [`user reset ${EXAMPLE_EMAIL}`],
  )
    .argument("<email>", "the person's e-mail", text)
    .action((email: string) => run(async ({ people }) => linkReport(await people.reset(email))));

  addCommand(group, "end-sessions", "end all sessions of a person, at once; they may sign in again", [
    `user end-sessions ${EXAMPLE_EMAIL}`,
  ])
    .argument("<email>", "the person's e-mail", text)
    .action((email: string) =>
      run(async ({ people }) => {
        const ended = await people.endSessions(email);
        return { json: { email, endedSessions: ended }, text: `${ended} sessions of ${email} were ended.` };
      }),
    );
}

function addInviteCommand(group: Command, run: Run): void {
  addCommand(
    group,
    "invite",
    "print a link by which a person becomes a member of an account, or an operator of the shop, for 30 minutes and once",
    [
      `user invite --account ${EXAMPLE_ACCOUNT} --role owner --email ${EXAMPLE_EMAIL}`,
      `user invite --role admin --email ${EXAMPLE_OPERATOR}`,
    ],
  )
    .option("--account <id>", "the account; without it the person becomes an operator", accountId)
    .addOption(
      new Option(
        "--role <role>",
        "of a member: owner may do all, developer keys and orders, billing money and statements; of an operator: " +
          "viewer may look at all, support sees to orders too, finance to money too, admin may do all",
      )
        .choices([...ROLES, ...OPERATOR_ROLES])
        .makeOptionMandatory(),
    )
    .requiredOption("--email <email>", "the person's e-mail, by which they sign in", text)
    .action((options: InviteOptions) => run(async ({ people }) => linkReport(await invite(people, options))));
}

/** @throws {InvalidInputError} the role is none of a member, or none of an operator. */
function invite(people: People, { account, role, email }: InviteOptions): Promise<InvitationLink> {
  if (account === undefined) {
    const operatorRole = OPERATOR_ROLES.find((one) => one === role);
    if (operatorRole !== undefined) return people.operators.invitations.inviteOperator(email, operatorRole);
    throw new InvalidInputError(
      `An operator's role is ${OPERATOR_ROLES.join(", ")}. For the role ${role} in an account add --account.`,
    );
  }
  const memberRole = ROLES.find((one) => one === role);
  if (memberRole !== undefined) return people.invitations.invite(email, account, memberRole);
  throw new InvalidInputError(
    `A member's role is ${ROLES.join(", ")}. To make an operator with the role ${role} leave out --account.`,
  );
}

function addListCommand(group: Command, run: Run): void {
  addCommand(group, "list", "the people who sign in, with their accounts and roles", [
    "user list",
    `user list --account ${EXAMPLE_ACCOUNT}`,
    "user list --operators",
  ])
    .option("--account <id>", "only members of this account", accountId)
    .addOption(new Option("--operators", "only those who run the shop").conflicts("account"))
    .action(({ account = null, operators = false }: { account?: AccountId | null; operators?: boolean }) =>
      run(async ({ people }) =>
        operators ? operatorList(await people.operators.list()) : userList(await people.list(account)),
      ),
    );
}

function linkReport({ email, membership, operatorRole, link, expiresAtMs }: InvitationLink): Report {
  const json = {
    email,
    accountId: membership?.accountId ?? null,
    role: membership?.role ?? operatorRole,
    link,
    expiresAt: isoTime(expiresAtMs),
  };
  const shown = {
    Link: link,
    "E-mail": email,
    Account: json.accountId,
    Role: json.role,
    Expires: json.expiresAt,
  };
  const notes = ["Pass the link on to this person alone: who opens it first is let in. It works once."];
  if (new URL(link).pathname === CONSOLE_PATH) notes.push(WITHOUT_PAGE);
  return { json, text: [details(shown), "", ...notes].join("\n") };
}

function userList(users: readonly UserWithMemberships[]): Report {
  const json = users.map(({ userId, email, name, createdAtMs, memberships, hasSecondFactor }) => ({
    userId,
    email,
    name,
    createdAt: isoTime(createdAtMs),
    hasSecondFactor,
    memberships: memberships.map(({ accountId, accountName, role }) => ({ accountId, accountName, role })),
  }));
  const rows = json.flatMap(({ email, name, createdAt, hasSecondFactor, memberships }) =>
    (memberships.length === 0 ? [null] : memberships).map((membership) => [
      email,
      name,
      membership?.accountId ?? null,
      membership?.role ?? null,
      hasSecondFactor ? "yes" : "no",
      createdAt,
    ]),
  );
  const headings = ["E-mail", "Name", "Account", "Role", "Second factor", "Created"];
  return { json, text: table(headings, rows, "Nobody signs in yet. Invite somebody: user invite --help") };
}

function operatorList(operators: readonly Operator[]): Report {
  const json = operators.map(({ userId, email, name, createdAtMs, role, hasSecondFactor }) => ({
    ...{ userId, email, name, role, hasSecondFactor, createdAt: isoTime(createdAtMs) },
  }));
  const rows = json.map(({ email, name, role, hasSecondFactor, createdAt }) => [
    ...[email, name, role, hasSecondFactor ? "yes" : "no", createdAt],
  ]);
  const headings = ["E-mail", "Name", "Role", "Second factor", "Created"];
  return {
    json,
    text: table(headings, rows, "There are no operators yet: user invite --role admin --email …"),
  };
}
