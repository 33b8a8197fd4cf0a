import { randomBytes } from "node:crypto";
import document from "../../generated/ordering/openapi.json" with { type: "json" };
import type { KeyKind } from "../keys/api-key.ts";
import { INVITATION_MS } from "../people/person.ts";
import type { Environment } from "../settings/setting.ts";
import type { DemoShop } from "./demo.ts";
import type { DemoPerson } from "./demo-person.ts";

// The document leaves the host of the shop open.
const basePath = document.servers[0]?.url.replace(/^https:\/\/\{host\}/, "") ?? "";
/** What says where the shop is reached. */
const PLACE_VARIABLES = new Set(["HOST", "PORT", "PUBLIC_URL"]);
const authorization = '-H "Authorization: Bearer $KEY"';

/** What a person is told of a shop that has just opened. */
export function describeShop(shop: {
  url: string;
  adminUrl: string;
  /** Where people sign in. */
  accountCenterUrl: string;
  demo: DemoShop | undefined;
  /** Where calls to models go: null for nowhere, "simulated" to a simulator of the shop's own. */
  upstream: string | null;
  /** The name of the header that the upstream wants. */
  versionHeader: string;
  env: Environment;
}): string {
  const baseUrl = `${shop.url}${basePath}`;
  const parts = [
    [
      "The shop is open.",
      `  Account center      ${describeAccountCenter(shop.accountCenterUrl, shop.demo?.person, shop)}`,
      `  Ordering interface  ${baseUrl}`,
      `  AI proxy            ${shop.url}  (${describeUpstream(shop.upstream)})`,
      `  Documentation       ${shop.url}/docs`,
      `  Health and metrics  ${shop.adminUrl}/readyz  ${shop.adminUrl}/metrics`,
    ].join("\n"),
    shop.demo ? describeDemo(shop.demo, shop, operatorCommand(shop.env)) : describeOwn(shop.env),
    "Ctrl-C stops the shop.",
  ];
  return `\n${parts.join("\n\n")}\n`;
}

/** Where people sign in and, in a demo shop, as whom. */
function describeAccountCenter(
  accountCenterUrl: string,
  person: DemoPerson | undefined,
  { url, env }: { url: string; env: Environment },
): string {
  if (person === undefined) return accountCenterUrl;
  const { email, invitation } = person;
  const note =
    invitation === null
      ? `sign in as ${email}; a new link: ${linkingCommand(env, url)} user reset ${email}`
      : `lets ${email} in, once and within ${INVITATION_MS / 60_000} minutes; choose a password there`;
  return `${invitation?.link ?? accountCenterUrl}\n${" ".repeat(22)}(${note})`;
}

function describeUpstream(upstream: string | null): string {
  if (upstream === "simulated")
    return "answers are simulated; set UPSTREAM_URL and UPSTREAM_API_KEY for real ones";
  return upstream === null ? "no upstream: set UPSTREAM_URL and UPSTREAM_API_KEY" : `upstream ${upstream}`;
}

function describeDemo(
  { account, newKeys, productId, onDemandProductId, modelId }: DemoShop,
  { url, versionHeader }: { url: string; versionHeader: string },
  operator: string,
): string {
  const baseUrl = `${url}${basePath}`;
  const keyOf = (wanted: KeyKind) => newKeys.find(({ kind }) => kind === wanted)?.key;
  const keys = newKeys.map(({ kind, key }) => `  ${kind.padEnd(18)}${key}`).join("\n");
  const introduction = keys
    ? `Demo account "${account.name}" (${account.accountId}). Its keys, shown only now:\n${keys}`
    : `Demo account "${account.name}" (${account.accountId}). Its keys were shown at the first start; new ones:\n` +
      `  ${operator} key create --account ${account.accountId} --kind product_ordering\n` +
      `  ${operator} key create --account ${account.accountId} --kind general`;
  const parts = [
    introduction,
    describeOrder(baseUrl, productId, keyOf("product_ordering")),
    describeOnDemand(baseUrl, onDemandProductId),
    describeCall(url, versionHeader, modelId, keyOf("general")),
  ];
  return parts.join("\n\n");
}

/** Lines for a shell that has nothing but curl and sed. */
function describeOrder(baseUrl: string, productId: string, key: string | undefined): string {
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

/** A stream of the AI proxy, and what it cost. */
function describeCall(url: string, versionHeader: string, modelId: string, key: string | undefined): string {
  const messages = [{ role: "user", content: "Say hello to the shop." }];
  const body = JSON.stringify({ model: modelId, max_tokens: 100, stream: true, messages });
  return [
    "Talk to a model, paid by the token from the same balance, and see what it cost:",
    key ? `  AI_KEY=${key}` : "  AI_KEY=…   # a general key",
    `  curl -sN -H "x-api-key: $AI_KEY" -H "${versionHeader}: 2023-06-01" -H "Content-Type: application/json" -d '${body}' ${url}/v1/messages`,
    `  curl -sw "\\n" -H "x-api-key: $AI_KEY" "${url}/v1/usage?limit=1"`,
  ].join("\n");
}

/** curl's options for an order under an id of its own. */
function purchase(productId: string, qty: number): string {
  const externalOrderId = `demo-${randomBytes(4).toString("hex")}`;
  const body = JSON.stringify({ externalOrderId, productId, qty });
  return `${authorization} -H "Content-Type: application/json" -d '${body}'`;
}

function describeOwn(env: Environment): string {
  return `Accounts, keys, products, stock and models are managed with\n  ${operatorCommand(env)} --help`;
}

/** The operator's command line where it prints links: it has to know where this shop is reached. */
function linkingCommand(env: Environment, url: string): string {
  const settings = Object.entries({ ...env, PORT: env.PORT && new URL(url).port })
    .filter(([name, value]) => PLACE_VARIABLES.has(name) && value)
    .map(([name, value]) => `${name}=${value} `);
  return `${settings.join("")}${operatorCommand(env)}`;
}

/** The operator's command line in this shop's environment. */
function operatorCommand(env: Environment): string {
  const dataDir = !env.DATABASE_URL && env.DATA_DIR ? `DATA_DIR=${env.DATA_DIR} ` : "";
  return `${dataDir}npm run -s operator --`;
}
