import { type Command, Option } from "commander";
import type { AccountId } from "../ids.ts";
import type { InvitationLink } from "../people/invitations.ts";
import { ROLES, type Role, type UserWithMemberships } from "../people/person.ts";
import { accountId, text } from "./arguments.ts";
import { addCommand, addGroup, type Run } from "./command.ts";
import { details, isoTime, type Report, table } from "./report.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
const EXAMPLE_EMAIL = "ada@buyer.example";

interface InviteOptions {
  account: AccountId;
  role: Role;
  email: string;
}

/** `user invite|list|remove|reset|end-sessions`. */
export function addUserCommands(program: Command, run: Run): void {
  const group = addGroup(program, "user", "the people who sign in");
  addInviteCommand(group, run);
  addListCommand(group, run);

  addCommand(group, "remove", "take a member out of an account; their sessions end at once", [
    `user remove ${EXAMPLE_EMAIL} --account ${EXAMPLE_ACCOUNT}`,
  ])
    .argument("<email>", "the person's e-mail", text)
    .requiredOption("--account <id>", "the account", accountId)
    .action((email: string, { account }: { account: AccountId }) =>
      run(async ({ people }) => {
        await people.remove(email, account);
        return { json: { email, accountId: account }, text: `${email} is no member of ${account} any more.` };
      }),
    );

  addCommand(
    group,
    "reset",
    "take a person's password and second factor away, end their sessions, and print a link to choose a new password",
    [`user reset ${EXAMPLE_EMAIL}`],
  )
    .argument("<email>", "the person's e-mail", text)
    .action((email: string) => run(async ({ people }) => linkReport(await people.invitations.reset(email))));

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
    "print a link by which a person becomes a member of an account, for 30 minutes and once",
    [`user invite --account ${EXAMPLE_ACCOUNT} --role owner --email ${EXAMPLE_EMAIL}`],
  )
    .requiredOption("--account <id>", "the account", accountId)
    .addOption(
      new Option("--role <role>", "owner may do all, developer keys and orders, billing money and statements")
        .choices(ROLES)
        .makeOptionMandatory(),
    )
    .requiredOption("--email <email>", "the person's e-mail, by which they sign in", text)
    .action(({ account, role, email }: InviteOptions) =>
      run(async ({ people }) => linkReport(await people.invitations.invite(email, account, role))),
    );
}

function addListCommand(group: Command, run: Run): void {
  addCommand(group, "list", "the people who sign in, with their accounts and roles", [
    "user list",
    `user list --account ${EXAMPLE_ACCOUNT}`,
  ])
    .option("--account <id>", "only members of this account", accountId)
    .action(({ account = null }: { account?: AccountId | null }) =>
      run(async ({ people }) => userList(await people.list(account))),
    );
}

function linkReport({ email, membership, link, expiresAtMs }: InvitationLink): Report {
  const json = {
    email,
    accountId: membership?.accountId ?? null,
    role: membership?.role ?? null,
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
  const note = "Pass the link on to this person alone: who opens it first is let in. It works once.";
  return { json, text: `${details(shown)}\n\n${note}` };
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
