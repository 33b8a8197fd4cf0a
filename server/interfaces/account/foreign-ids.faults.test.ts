import { expect, test } from "vitest";
import type { AccountId } from "../../ids.ts";
import type { Role } from "../../people/person.ts";
import { createRandom } from "../../simulators/shared/random.ts";
import { faultSeed, scaled } from "../../testing/faults/fault-runs.ts";
import { fixedClock } from "../../testing/fixed-clock.ts";
import { type IdsOfAccount, tryForeignIds, type Writing } from "../../testing/foreign-attempts.ts";
import { openAs } from "../../testing/test-browser.ts";
import { addPerson } from "../../testing/test-people.ts";
import { startTestShop, type TestShop } from "../../testing/test-shop.ts";

const ATTEMPTS = scaled(10_000);
const ROLES: readonly Role[] = ["owner", "developer", "billing"];

/** What is put into an id, or in the place of one of its characters. */
const PIECES = [
  "0",
  "f",
  "_",
  "%5F",
  "%2E",
  "%2D",
  "%30",
  "%C3%A9",
  "%E2%80%8B",
  "%EF%BC%8E",
  "~",
  "*",
  "%25",
];

/** One of the ways in which an id may be changed. */
function randomWriting(random: () => number): Writing {
  const place = Math.floor(random() * 36);
  const piece = PIECES[Math.floor(random() * PIECES.length)] ?? "";
  const edits: readonly Writing[] = [
    (id) => id.slice(0, place) + piece + id.slice(place),
    (id) => id.slice(0, place) + piece + id.slice(place + 1),
    (id) => id.slice(0, place) + encoded(id.charAt(place)) + id.slice(place + 1),
    (id) => id.slice(0, place) + id.slice(place).toUpperCase(),
    (id) => id.slice(0, place + 1),
    (id, own) => `${own}${piece}${id}`,
    (id, own) => `${id}${piece}${own}`,
    (id) => `${piece}${id}`,
    (id) => id,
  ];
  return edits[Math.floor(random() * edits.length)] ?? ((id) => id);
}

function encoded(character: string): string {
  return character === "" ? "" : `%${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
}

/** An account with a key, an order that it has placed, and a member. */
async function addIds(shop: TestShop): Promise<IdsOfAccount & { accountId: AccountId }> {
  const accountId = await shop.addAccount();
  const { key, keyId } = await shop.addKey(accountId);
  const body = { externalOrderId: "one", productId: shop.productId, qty: 1 };
  const { orderId } = (await shop.call("/orders", { key, body })).body;
  const { userId } = await addPerson(shop, accountId);
  return { accountId, keyId, orderId, userId };
}

test(`of ${ATTEMPTS} attempts with another account's ids none is let through, or told from nothing`, async () => {
  const random = createRandom(faultSeed());
  const shop = await startTestShop(fixedClock("2026-03-01T12:00:00Z").clock);
  const [own, foreign] = [await addIds(shop), await addIds(shop)];
  const accountIds = [own.accountId, foreign.accountId];
  const state = () => Promise.all(accountIds.flatMap((id) => [shop.keys.list(id), shop.people.list(id)]));
  const visitors = [];
  for (const role of ROLES) visitors.push(await openAs(shop, role, own.accountId));
  const before = await state();

  for (let made = 0; made < ATTEMPTS; ) {
    const write = randomWriting(random);
    for (const { place, answer, atNothing } of await tryForeignIds({ visitors, own, foreign }, write)) {
      expect(answer, place).toMatch(/^(?:404|403|400) /);
      expect(answer, place).toBe(atNothing);
      made += 1;
    }
  }
  expect(await state()).toEqual(before);
  await shop.stop();
});
