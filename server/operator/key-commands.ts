import { type Command, Option } from "commander";
import type { Services } from "../compose.ts";
import type { AccountId, KeyId } from "../ids.ts";
import { type ApiKey, type KeyCaps, type KeyKind, SCOPES } from "../keys/api-key.ts";
import { formatUsd, type Microcents } from "../money/microcents.ts";
import { type AmountOrNone, accountId, amount, amountOrNone, keyId, orNull } from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { details, isoTime, optionalUsd, type Report, table } from "./report.ts";

const EXAMPLE_ACCOUNT = "acc_01938c8e6f2b7c3e9a4d5f6071829304";
const EXAMPLE_ID = "key_01938c8e6f2b7c3e9a4d5f6071829304";

interface CapOptions {
  orderCap?: AmountOrNone;
  dailyCap?: AmountOrNone;
}

/** `key create|list|caps|revoke`. */
export function addKeyCommands(program: Command, run: Run): void {
  const group = addGroup(program, "key", "API keys of an account");

  addCommand(group, "create", "make a key; it is shown once, because only its hash is stored", [
    `key create --account ${EXAMPLE_ACCOUNT} --kind product_ordering`,
    `key create --account ${EXAMPLE_ACCOUNT} --kind product_ordering --order-cap 50 --daily-cap 500.00`,
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
    .option("--order-cap <usd>", "the most that one order may cost (default: no limit)", amount)
    .option("--daily-cap <usd>", "the most that may be spent on a UTC day (default: no limit)", amount)
    .action(({ account, kind, ...options }: { account: AccountId; kind: KeyKind } & CapOptions) =>
      run(async ({ keys }) =>
        createdReport(await keys.create({ accountId: account, kind, ...capsOf(options) })),
      ),
    );

  addCommand(group, "list", "an account's keys with their caps and what they spent today (UTC)", [
    `key list --account ${EXAMPLE_ACCOUNT}`,
  ])
    .requiredOption("--account <id>", "the account", accountId)
    .action(({ account }: { account: AccountId }) => run(async (services) => listKeys(services, account)));

  addCommand(group, "caps", "set or clear a key's spend limits; what is not named stays", [
    `key caps ${EXAMPLE_ID} --order-cap 50.00 --daily-cap 500`,
    `key caps ${EXAMPLE_ID} --order-cap none`,
  ])
    .argument("<key-id>", "the key's id", keyId)
    .option("--order-cap <usd|none>", "the most that one order may cost", amountOrNone)
    .option("--daily-cap <usd|none>", "the most that may be spent on a UTC day", amountOrNone)
    .action((id: KeyId, options: CapOptions) => {
      if (options.orderCap === undefined && options.dailyCap === undefined) {
        throw new OperatorError(
          "Neither --order-cap nor --daily-cap was given.",
          `name at least one, such as: ${PROGRAM_NAME} key caps ${id} --order-cap 50.00`,
        );
      }
      return run(async ({ keys }) => keyReport(await keys.setCaps(id, capsOf(options))));
    });

  addCommand(group, "revoke", "refuse a key for good, from within a second on", [`key revoke ${EXAMPLE_ID}`])
    .argument("<key-id>", "the key's id", keyId)
    .action((id: KeyId) => run(async ({ keys }) => keyReport(await keys.revoke(id))));
}

async function listKeys({ keys }: Services, account: AccountId): Promise<Report> {
  const found = await keys.list(account);
  return keyList(
    await Promise.all(found.map(async (key) => ({ key, spentToday: await keys.spentToday(key.keyId) }))),
  );
}

function capsOf({ orderCap, dailyCap }: CapOptions): Partial<KeyCaps> {
  return {
    ...(orderCap === undefined ? {} : { orderCapMicrocents: orNull(orderCap) }),
    ...(dailyCap === undefined ? {} : { dailyCapMicrocents: orNull(dailyCap) }),
  };
}

function createdReport(created: ApiKey & { key: string }): Report {
  const text = [
    details({ Key: created.key }),
    keyReport(created).text,
    "",
    "Keep the key now: only its hash is stored, and it cannot be shown again.",
  ];
  return { json: { ...keyJson(created), key: created.key }, text: text.join("\n") };
}

function keyReport(key: ApiKey): Report {
  const json = keyJson(key);
  const text = details({
    "Key id": json.keyId,
    Preview: json.preview,
    Account: json.accountId,
    Kind: json.kind,
    Status: json.status,
    "Order cap USD": json.orderCap ?? "none",
    "Daily cap USD": json.dailyCap ?? "none",
    Created: json.createdAt,
  });
  return { json, text };
}

function keyList(keys: readonly { key: ApiKey; spentToday: Microcents }[]): Report {
  const json = keys.map(({ key, spentToday }) => ({
    ...keyJson(key),
    spentToday: formatUsd(spentToday, "up"),
  }));
  const rows = json.map(({ keyId, preview, kind, status, orderCap, dailyCap, spentToday, createdAt }) => [
    keyId,
    preview,
    kind,
    status,
    orderCap ?? "none",
    dailyCap ?? "none",
    spentToday,
    createdAt,
  ]);
  const headings = [
    "Key id",
    "Preview",
    "Kind",
    "Status",
    ">Order cap USD",
    ">Daily cap USD",
    ">Spent today USD",
    "Created",
  ];
  return { json, text: table(headings, rows, "The account has no keys yet.") };
}

function keyJson(key: ApiKey) {
  return {
    keyId: key.keyId,
    accountId: key.accountId,
    kind: key.kind,
    status: key.status,
    preview: key.preview,
    orderCap: optionalUsd(key.orderCapMicrocents),
    dailyCap: optionalUsd(key.dailyCapMicrocents),
    createdAt: isoTime(key.createdAtMs),
  };
}
