import { randomBytes } from "node:crypto";
import document from "../generated/ordering/openapi.json" with { type: "json" };
import type { DemoShop } from "./demo.ts";

const authorization = '-H "Authorization: Bearer $KEY"';

/** What a person is told of a shop that has just opened. */
export function describeShop(shop: {
  url: string;
  adminUrl: string;
  demo: DemoShop | undefined;
  env: Readonly<Record<string, string | undefined>>;
}): string {
  const baseUrl = `${shop.url}${document.servers[0]?.url ?? ""}`;
  const parts = [
    `The shop is open.\n  Ordering interface  ${baseUrl}\n  Health and metrics  ${shop.adminUrl}/readyz  ${shop.adminUrl}/metrics`,
    shop.demo ? describeDemo(shop.demo, baseUrl, operatorCommand(shop.env)) : describeOwn(shop.env),
    "Ctrl-C stops the shop.",
  ];
  return `\n${parts.join("\n\n")}\n`;
}

function describeDemo(
  { account, newKeys, productId, onDemandProductId }: DemoShop,
  baseUrl: string,
  operator: string,
): string {
  const orderingKey = newKeys.find(({ kind }) => kind === "product_ordering")?.key;
  const keys = newKeys.map(({ kind, key }) => `  ${kind.padEnd(18)}${key}`).join("\n");
  const introduction = keys
    ? `Demo account "${account.name}" (${account.accountId}). Its keys, shown only now:\n${keys}`
    : `Demo account "${account.name}" (${account.accountId}). Its keys were shown at the first start; a new one:\n` +
      `  ${operator} key create --account ${account.accountId} --kind product_ordering`;
  const parts = [
    introduction,
    describePurchase(baseUrl, productId, orderingKey),
    describeOnDemand(baseUrl, onDemandProductId),
  ];
  return parts.join("\n\n");
}

/** Lines for a shell that has nothing but curl and sed. */
function describePurchase(baseUrl: string, productId: string, key: string | undefined): string {
  return [
    "List the products, buy two codes, and read the order again:",
    key ? `  KEY=${key}` : "  KEY=…   # a product_ordering key",
    `  curl -sw "\\n" ${authorization} ${baseUrl}/products`,
    `  ANSWER=$(curl -s ${purchase(productId, 2)} ${baseUrl}/orders); echo "$ANSWER"`,
    `  ORDER=$(echo "$ANSWER" | sed -n 's/.*"orderId":"\\([^"]*\\)".*/\\1/p')`,
    `  curl -sw "\\n" ${authorization} ${baseUrl}/orders/$ORDER`,
  ].join("\n");
}

function describeOnDemand(baseUrl: string, productId: string): string {
  return [
    `Of ${productId} the shop has no stock: it buys the code from its supplier, a simulated one, while you wait:`,
    `  curl -sw "\\n" ${purchase(productId, 1)} ${baseUrl}/orders`,
  ].join("\n");
}

/** curl's options for an order under an id of its own. */
function purchase(productId: string, qty: number): string {
  const externalOrderId = `demo-${randomBytes(4).toString("hex")}`;
  const body = JSON.stringify({ externalOrderId, productId, qty });
  return `${authorization} -H "Content-Type: application/json" -d '${body}'`;
}

function describeOwn(env: Readonly<Record<string, string | undefined>>): string {
  return `Accounts, keys, products and stock are managed with\n  ${operatorCommand(env)} --help`;
}

/** The operator's command line in this shop's environment. */
function operatorCommand(env: Readonly<Record<string, string | undefined>>): string {
  const dataDir = !env.DATABASE_URL && env.DATA_DIR ? `DATA_DIR=${env.DATA_DIR} ` : "";
  return `${dataDir}npm run -s operator --`;
}
