import type { Command } from "commander";
import type { Services } from "../compose.ts";
import { formatUsd } from "../money/microcents.ts";
import type { OrderAdministration } from "../orders/order-administration.ts";
import { SupplierNotConfiguredError } from "../suppliers/errors.ts";
import type { BalanceOutcome, Supplier } from "../suppliers/supplier.ts";
import { text } from "./arguments.ts";
import { addCommand, addGroup, PROGRAM_NAME, type Run, type Streams } from "./command.ts";
import { OperatorError } from "./explain-error.ts";
import { readKeyFile } from "./key-file.ts";
import { details, isoTime, printable, type Report, table } from "./report.ts";

const EXAMPLE_URL = "https://codes.example/shop/v1";

const SAME_ACCOUNT = `While orders are processing that are bought from the supplier, this is refused without --same-account: the new
address or key must belong to the same account there, or purchases under way could be bought twice. For a change to
another account disable the supplier first, and wait until none of its orders is processing.`;

const ALLOW_HTTP = "the address may be http:// at another machine: in a network of your own";

interface AccessOptions {
  allowHttp?: boolean;
  baseUrl?: string;
  keyFile?: string;
}

type SetOptions = AccessOptions & { sameAccount?: boolean };

type AddOptions = AccessOptions & { id: string; baseUrl: string; keyFile: string };

/** `supplier add|list|show|set|enable|disable`. API keys come in by file or standard input and are never shown. */
export function addSupplierCommands(program: Command, run: Run): void {
  const group = addGroup(program, "supplier", "the services that codes are bought from on demand");
  addAdd(group, run);

  addCommand(group, "list", "all suppliers, by id", ["supplier list", "supplier list --json"]).action(() =>
    run(async ({ suppliers }) => supplierList(await suppliers.list())),
  );

  addCommand(group, "show", "one supplier; it is asked whether it answers, and what we have there", [
    "supplier show acme",
  ])
    .argument("<supplier-id>", "the supplier's id", text)
    .action((id: string) => run((services) => show(services, id)));

  addSet(group, run);

  addCommand(group, "enable", "buy from a supplier again, from within a second on", ["supplier enable acme"])
    .argument("<supplier-id>", "the supplier's id", text)
    .action((id: string) =>
      run(async ({ suppliers }) => supplierReport(await suppliers.setStatus(id, "active"))),
    );

  addCommand(group, "disable", "buy nothing more from a supplier; what was begun is still asked after", [
    "supplier disable acme",
  ])
    .argument("<supplier-id>", "the supplier's id", text)
    .action((id: string) =>
      run(async ({ suppliers }) => supplierReport(await suppliers.setStatus(id, "disabled"))),
    );
}

function addAdd(group: Command, run: Run): void {
  const command = addCommand(
    group,
    "add",
    "add a service that codes can be bought from; it speaks the ordering interface",
    [
      `supplier add --id acme --base-url ${EXAMPLE_URL} --key-file acme.key`,
      `supplier add --id acme --base-url ${EXAMPLE_URL} --key-file - < acme.key`,
    ],
  )
    .requiredOption("--id <id>", "your own name for it: lower-case letters, digits and dashes", text)
    .requiredOption("--base-url <url>", "its ordering interface, with the base path", text)
    .requiredOption("--key-file <path>", "a file with our API key there; - reads standard input", text)
    .option("--allow-http", ALLOW_HTTP);
  command.action((options: AddOptions) => run((services, streams) => add(services, streams, options)));
}

async function add(
  { stock, suppliers }: Services,
  { stdin }: Streams,
  { id, baseUrl, keyFile, allowHttp: allowsHttp }: AddOptions,
): Promise<Report> {
  const apiKey = await readKeyFile(keyFile, stdin);
  // Under other keys than the server's it could not be read there.
  await stock.checkEncryptionKeys();
  return supplierReport(await suppliers.add({ supplierId: id, baseUrl, apiKey, allowsHttp }));
}

function addSet(group: Command, run: Run): void {
  addCommand(group, "set", "change a supplier's address or our key there, from within a second on", [
    "supplier set acme --key-file acme.key",
    `supplier set acme --base-url ${EXAMPLE_URL} --key-file acme.key`,
  ])
    .argument("<supplier-id>", "the supplier's id", text)
    .option("--base-url <url>", "its ordering interface, with the base path", text)
    .option("--key-file <path>", "a file with our API key there; - reads standard input", text)
    .option("--allow-http", ALLOW_HTTP)
    .option(
      "--same-account",
      "the new address or key belongs to the same account there, as a renewed key does",
    )
    .addHelpText("after", `\n${SAME_ACCOUNT}`)
    .action((id: string, options: SetOptions) => {
      if (options.baseUrl === undefined && options.keyFile === undefined) {
        throw new OperatorError(
          "Neither --base-url nor --key-file was given.",
          `give what is to change, such as: ${PROGRAM_NAME} supplier set ${id} --key-file acme.key`,
        );
      }
      return run((services, streams) => setAccess(services, streams, id, options));
    });
}

async function setAccess(
  { orderAdministration, stock, suppliers }: Services,
  { stdin }: Streams,
  id: string,
  { baseUrl, keyFile, sameAccount = false }: SetOptions,
): Promise<Report> {
  if (!sameAccount) await requireNoProcessingOrders(orderAdministration, id);
  const apiKey = keyFile === undefined ? undefined : await readKeyFile(keyFile, stdin);
  await stock.checkEncryptionKeys();
  return supplierReport(
    await suppliers.setAccess(id, {
      ...(baseUrl === undefined ? {} : { baseUrl }),
      ...(apiKey === undefined ? {} : { apiKey }),
    }),
  );
}

/** @throws {OperatorError} purchases are under way that another account knows nothing of. */
async function requireNoProcessingOrders(
  orderAdministration: OrderAdministration,
  id: string,
): Promise<void> {
  const count = await orderAdministration.countProcessingFrom(id);
  if (count === 0) return;
  throw new OperatorError(
    `${count === 1 ? "1 order is" : `${count} orders are`} processing that ${count === 1 ? "is" : "are"} bought from ${printable(id)}. ` +
      "The new address or key must belong to the same account there, or what is under way could be bought twice.",
    `give --same-account if it does; otherwise ${PROGRAM_NAME} supplier disable ${printable(id)} and wait until ` +
      `${PROGRAM_NAME} order stuck --older-than 0 lists none of it.`,
  );
}

async function show({ suppliers }: Services, id: string): Promise<Report> {
  const supplier = await suppliers.get(id);
  const answer = await ask(suppliers, id);
  const json = { ...supplierJson(supplier), ...answerJson(answer) };
  const text = details({
    ...supplierProperties(json),
    Answers: json.fault === null ? "yes" : `no: ${json.fault}`,
    "Our balance there USD": json.available,
  });
  return { json, text };
}

async function ask(suppliers: Services["suppliers"], id: string): Promise<BalanceOutcome> {
  try {
    const { adapter } = await suppliers.adapterOf(id);
    return await adapter.balance();
  } catch (error) {
    if (!(error instanceof SupplierNotConfiguredError)) throw error;
    return { kind: "unknown", message: "our API key there cannot be read; set it anew" };
  }
}

function answerJson(answer: BalanceOutcome) {
  return answer.kind === "known"
    ? { available: formatUsd(answer.availableMicrocents), fault: null }
    : { available: null, fault: answer.message };
}

function supplierReport(supplier: Supplier): Report {
  const json = supplierJson(supplier);
  return { json, text: details(supplierProperties(json)) };
}

function supplierList(suppliers: readonly Supplier[]): Report {
  const json = suppliers.map(supplierJson);
  const rows = json.map(({ supplierId, status, baseUrl, createdAt }) => [
    supplierId,
    status,
    baseUrl,
    createdAt,
  ]);
  const headings = ["Supplier", "Status", "Base URL", "Created"];
  return { json, text: table(headings, rows, "There are no suppliers yet.") };
}

function supplierProperties({ supplierId, baseUrl, status, createdAt }: ReturnType<typeof supplierJson>) {
  return { Supplier: supplierId, "Base URL": baseUrl, Status: status, Created: createdAt };
}

function supplierJson({ supplierId, baseUrl, status, createdAtMs }: Supplier) {
  return { supplierId, baseUrl, status, createdAt: isoTime(createdAtMs) };
}
