import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { readDocument } from "../../../../server/interfaces/read-document.ts";
import { addPerson, type TestPerson } from "../../../../server/testing/test-people.ts";
import { startTestShop, type TestShop } from "../../../../server/testing/test-shop.ts";
import { browserTest } from "../browser.ts";
import { type HostileSite, startHostileSite } from "./hostile-site.ts";

// A person is signed in, and opens a page of another origin in the same browser: nothing that it sends has an effect, and it
// reads nothing.

let shop: TestShop;
let hostile: HostileSite;
beforeAll(async () => {
  shop = await startTestShop();
  hostile = await startHostileSite();
});
afterAll(async () => {
  await hostile.close();
  await shop.stop();
});

/** What hostile-page.js can do. */
interface HostilePage {
  attemptAll(everything: readonly Asked[]): Promise<string[]>;
  submitIntoWindow(asked: Asked): void;
}

/** Somebody who is signed in, in the browser of a test. */
interface Victim {
  readonly person: TestPerson;
  /** By the names of path parameters: what is theirs. */
  readonly ids: Readonly<Record<string, string>>;
}

/** A page's request. */
interface Asked {
  readonly method: string;
  readonly url: string;
  /** "" where it has no body. */
  readonly json: string;
}

/** Signs an owner in, from a page of the service. */
async function openVictim(own: Page): Promise<Victim> {
  const accountId = await shop.addAccount();
  const person = await addPerson(shop, accountId);
  const { userId } = await addPerson(shop, accountId, "billing");
  const { keyId } = await shop.addKey(accountId);
  await own.goto(`${shop.ownUrl}/account/v1/session`);
  const { email, password } = person;
  const json = JSON.stringify({ email, password });
  expect(await ask(own, { method: "POST", url: "/account/v1/session", json })).toBe(200);
  const [session] = await shop.people.sessions.list(person.userId);
  const { sessionId = "" } = session ?? {};
  return { person, ids: { accountId, keyId, userId, sessionId, orderId: "ord_0", month: "2026-11" } };
}

/** What a page of the service itself gets. */
function ask(page: Page, { method, url, json }: Asked): Promise<number> {
  return page.evaluate(
    async ({ method, url, json }) => {
      const headers = { "Content-Type": "application/json", "Idempotency-Key": "cross-site" };
      const response = await fetch(url, { method, headers, ...(json !== "" && { body: json }) });
      return response.status;
    },
    { method, url, json },
  );
}

/** Bodies that would do what the victim does not want. */
function bodies({ person: { email, password } }: Victim): Readonly<Record<string, object>> {
  return {
    createKey: { kind: "general", name: "Taken" },
    changeKey: { name: "Taken" },
    rotateKey: { overlapSeconds: 0 },
    inviteMember: { email: "taken@buyer.example", role: "owner" },
    changePassword: { currentPassword: password, newPassword: "taken by somebody else" },
    signIn: { email, password },
    stepUp: { kind: "password", value: password },
  };
}

interface Operation extends Asked {
  readonly operationId: string;
}

const METHODS = ["get", "post", "put", "patch", "delete"];

/** Every operation of the document, about what the victim has. */
function everything(victim: Victim): Operation[] {
  const given = bodies(victim);
  return Object.entries(readDocument("account").paths ?? {}).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Record<string, { operationId: string } | undefined>)[method];
      if (operation === undefined) return [];
      const { operationId } = operation;
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => victim.ids[name] ?? "none");
      const json = JSON.stringify(given[operationId] ?? {});
      return [{ operationId, method: method.toUpperCase(), url: `${shop.ownUrl}/account/v1${filled}`, json }];
    }),
  );
}

/** All rows of all tables, but for when sessions were seen. */
async function everyRow(): Promise<string> {
  const tables = await shop.database.rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name",
  );
  const rows = await Promise.all(
    tables.map(async ({ name }) => [
      name,
      await shop.database.rows<Record<string, unknown>>(`SELECT * FROM ${name}`),
    ]),
  );
  return JSON.stringify(rows, (key, value) => {
    if (key === "last_seen_at_ms") return undefined;
    return typeof value === "bigint" ? String(value) : value;
  });
}

/** What the service has answered since: operation and status. */
function answersSince(position: number): string[] {
  return shop
    .log()
    .slice(position)
    .split("\n")
    .filter((line) => line.includes('"interface":"account"'))
    .map((line) => JSON.parse(line) as { operation: string; status: number })
    .map(({ operation, status }) => `${operation} ${status}`);
}

/** What makes a key of the victim's account. */
function makesKey(victim: Victim): Operation {
  const found = everything(victim).find(({ operationId }) => operationId === "createKey");
  if (found === undefined) throw new Error("There is no such operation.");
  return found;
}

/** Opens a page of another origin beside the victim's. */
async function openHostilePage(own: Page, host: string): Promise<Page> {
  const page = await own.context().newPage();
  await page.goto(`http://${host}:${hostile.port}/`);
  return page;
}

const ORIGINS = [
  ["another port of the same host, whose requests bring the cookie,", "127.0.0.1"],
  ["another site", "localhost"],
] as const;

for (const [origin, host] of ORIGINS) {
  browserTest(`a page of ${origin} changes nothing and learns nothing, whatever it asks for`, async (own) => {
    const all = everything(await openVictim(own));
    const [before, position] = [await everyRow(), shop.log().length];
    const page = await openHostilePage(own, host);
    const learned = await page.evaluate(
      (asked) => (globalThis as unknown as HostilePage).attemptAll(asked),
      all,
    );
    expect(learned.filter((said) => !said.endsWith(": nothing"))).toEqual([]);
    // Not all of them are told when they have been answered.
    await expect.poll(() => answersSince(position).length).toBeGreaterThanOrEqual(learned.length);
    expect(await everyRow()).toBe(before);

    const answers = new Set(answersSince(position));
    for (const { operationId, method } of all.filter(({ method }) => method !== "GET")) {
      const given = [...answers].filter((answer) => answer.startsWith(`${operationId} `));
      // For the other methods browsers ask for leave first, and get none.
      expect(given, operationId).toEqual(method === "POST" ? [`${operationId} 403`] : []);
    }
  });

  browserTest(`a form of ${origin} that opens a window changes nothing`, async (own) => {
    const victim = await openVictim(own);
    const before = await everyRow();
    const page = await openHostilePage(own, host);
    const opened = own.context().waitForEvent("page");
    await page.evaluate(
      (form) => (globalThis as unknown as HostilePage).submitIntoWindow(form),
      makesKey(victim),
    );
    const shown = await opened;
    await expect.poll(() => shown.textContent("body")).toContain("cross_site");
    expect(await everyRow()).toBe(before);
  });
}

browserTest("the same from a page of the service has its effect", async (own) => {
  const victim = await openVictim(own);
  const before = await everyRow();
  expect(await ask(own, makesKey(victim))).toBe(201);
  expect(await everyRow()).not.toBe(before);
});
