import { type Command, Option } from "commander";
import type { CapCeilings } from "../accounts/account.ts";
import type { Services } from "../compose.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { type ApiKey, type KeyCaps, type KeyKind, SCOPES } from "../keys/api-key.ts";
import {
  type AmountOrNone,
  accountId,
  amount,
  amountOrNone,
  keyId,
  momentOrNever,
  orNull,
  span,
  text,
} from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { keyList, keyReport, secretReport } from "./key-report.ts";
import { moment } from "./moment.ts";
import type { Report } from "./report.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
const EXAMPLE_ID = "key_01938c8e6f2b7c3e9a4d5f6071829304";
const ID = "the key's id";
const DEFAULT_OVERLAP = "24h";

interface CapOptions {
  orderCap?: AmountOrNone;
  dailyCap?: AmountOrNone;
}

/** `key create|list|show|rename|expire|caps|ceilings|rotate|end-overlap|revoke`. */
export function addKeyCommands(program: Command, run: Run): void {
  const group = addGroup(program, "key", "API keys of an account");
  addCreateCommand(group, run);
  addReadCommands(group, run);
  addPropertyCommands(group, run);
  addCapCommands(group, run);
  addSecretCommands(group, run);
}

interface CreateOptions extends CapOptions {
  account: AccountId;
  kind: KeyKind;
  name?: string | null;
  expires?: number | null;
  idempotencyKey?: string | null;
}

function addCreateCommand(group: Command, run: Run): void {
  addCommand(group, "create", "make a key; it is shown once, because only its hash is stored", [
    `key create --account ${EXAMPLE_ACCOUNT} --kind product_ordering --name "Order desk"`,
    `key create --account ${EXAMPLE_ACCOUNT} --kind product_ordering --order-cap 50 --daily-cap 500.00`,
    `key create --account ${EXAMPLE_ACCOUNT} --kind general --expires 2027-01-01`,
  ])
    .requiredOption("--account <id>", "the account that it spends from", accountId)
    .addOption(
      new Option(
        "--kind <kind>",
        "general calls models and reads the catalog; product_ordering reads and orders; ai_proxy calls models",
      )
        .choices(Object.keys(SCOPES))
        .makeOptionMandatory(),
    )
    .option("--name <name>", "what people know it by", text)
    .option("--expires <time>", "from when on it is refused, UTC (default: never)", moment)
    .option("--order-cap <usd>", "the most that one order may cost (default: no limit)", amount)
    .option("--daily-cap <usd>", "the most that may be spent on a UTC day (default: no limit)", amount)
    .option(
      "--idempotency-key <text>",
      "a text of your own: repeated with it, the command names the key that was made and makes no other",
      text,
    )
    .action(({ account, kind, name = null, expires = null, idempotencyKey = null, ...caps }: CreateOptions) =>
      run(async ({ keys, clock }) => {
        const request = { accountId: account, kind, name, expiresAtMs: expires, idempotencyKey };
        return secretReport(await keys.create({ ...request, ...capsOf(caps) }), clock());
      }),
    );
}

function addReadCommands(group: Command, run: Run): void {
  addCommand(group, "list", "an account's keys with their caps and what they spent today (UTC)", [
    `key list --account ${EXAMPLE_ACCOUNT}`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .action(({ account }: { account: AccountId }) => run(async (services) => listKeys(services, account)));

  addCommand(group, "show", "one key, with the former secrets that still work", [`key show ${EXAMPLE_ID}`])
    .argument("<key-id>", ID, keyId)
    .action((id: KeyId) => run(reported(({ keys }) => keys.get(id))));
}

function addPropertyCommands(group: Command, run: Run): void {
  addCommand(group, "rename", "give a key another name", [`key rename ${EXAMPLE_ID} --name "Order desk"`])
    .argument("<key-id>", ID, keyId)
    .requiredOption("--name <name>", "what people know it by", text)
    .action((id: KeyId, { name }: { name: string }) =>
      run(reported(({ keys }) => keys.change(id, { name }))),
    );

  addCommand(group, "expire", "set when a key expires, or that it does not; from within a second on", [
    `key expire ${EXAMPLE_ID} --at 2027-01-01T00:00:00Z`,
    `key expire ${EXAMPLE_ID} --at never`,
  ])
    .argument("<key-id>", ID, keyId)
    .requiredOption("--at <time|never>", "from when on it is refused, UTC", momentOrNever)
    .action((id: KeyId, { at }: { at: number | "never" }) =>
      run(reported(({ keys }) => keys.change(id, { expiresAtMs: at === "never" ? null : at }))),
    );
}

function addCapCommands(group: Command, run: Run): void {
  addCommand(group, "caps", "set or clear a key's spend limits; what is not named stays", [
    `key caps ${EXAMPLE_ID} --order-cap 50.00 --daily-cap 500`,
    `key caps ${EXAMPLE_ID} --order-cap none`,
  ])
    .argument("<key-id>", ID, keyId)
    .option("--order-cap <usd|none>", "the most that one order may cost", amountOrNone)
    .option("--daily-cap <usd|none>", "the most that may be spent on a UTC day", amountOrNone)
    .action((id: KeyId, options: CapOptions) => {
      requireCap("caps", id, options);
      return run(reported(({ keys }) => keys.change(id, capsOf(options))));
    });

  addCommand(
    group,
    "ceilings",
    "set the most that a key's caps may be, in place of its account's; what is not named stays",
    [
      `key ceilings ${EXAMPLE_ID} --order-cap 200 --daily-cap 1000`,
      `key ceilings ${EXAMPLE_ID} --daily-cap none`,
    ],
  )
    .argument("<key-id>", ID, keyId)
    .option("--order-cap <usd|none>", "ceiling of its order cap; none: as for the account", amountOrNone)
    .option("--daily-cap <usd|none>", "ceiling of its daily cap; none: as for the account", amountOrNone)
    .action((id: KeyId, options: CapOptions) => {
      requireCap("ceilings", id, options);
      return run(reported(({ keys }) => keys.setCeilings(id, ceilingsOf(options))));
    });
}

function addSecretCommands(group: Command, run: Run): void {
  addCommand(group, "rotate", "give a key a new secret, shown once; the present one works for a while", [
    `key rotate ${EXAMPLE_ID}`,
    `key rotate ${EXAMPLE_ID} --overlap 7d`,
  ])
    .argument("<key-id>", ID, keyId)
    .option(
      "--overlap <span>",
      `for how long the present secret works, 0 to 7d (default: ${DEFAULT_OVERLAP})`,
      span,
    )
    .action((id: KeyId, { overlap = span(DEFAULT_OVERLAP) }: { overlap?: number }) =>
      run(async ({ keys, clock }) => secretReport(await keys.rotate(id, overlap), clock())),
    );

  addCommand(group, "end-overlap", "refuse a key's former secrets, from within a second on", [
    `key end-overlap ${EXAMPLE_ID}`,
  ])
    .argument("<key-id>", ID, keyId)
    .action((id: KeyId) => run(reported(({ keys }) => keys.endOverlap(id))));

  addCommand(group, "revoke", "refuse a key for good, from within a second on", [`key revoke ${EXAMPLE_ID}`])
    .argument("<key-id>", ID, keyId)
    .action((id: KeyId) => run(reported(({ keys }) => keys.revoke(id))));
}

/** Work that ends with a key, which is shown. */
function reported(work: (services: Services) => Promise<ApiKey>): (services: Services) => Promise<Report> {
  return async (services) => keyReport(await work(services), services.clock());
}

async function listKeys({ keys, clock }: Services, account: AccountId): Promise<Report> {
  const found = await keys.list(account);
  const withSpends = found.map(async (key) => ({ key, spentToday: await keys.spentToday(key.keyId) }));
  return keyList(await Promise.all(withSpends), clock());
}

function requireCap(command: string, id: KeyId, { orderCap, dailyCap }: CapOptions): void {
  if (orderCap !== undefined || dailyCap !== undefined) return;
  throw new OperatorError(
    "Neither --order-cap nor --daily-cap was given.",
    `name at least one, such as: ${PROGRAM_NAME} key ${command} ${id} --order-cap 50.00`,
  );
}

function capsOf({ orderCap, dailyCap }: CapOptions): Partial<KeyCaps> {
  return {
    ...(orderCap === undefined ? {} : { orderCapMicrocents: orNull(orderCap) }),
    ...(dailyCap === undefined ? {} : { dailyCapMicrocents: orNull(dailyCap) }),
  };
}

function ceilingsOf({ orderCap, dailyCap }: CapOptions): Partial<CapCeilings> {
  return {
    ...(orderCap === undefined ? {} : { orderCapCeilingMicrocents: orNull(orderCap) }),
    ...(dailyCap === undefined ? {} : { dailyCapCeilingMicrocents: orNull(dailyCap) }),
  };
}
