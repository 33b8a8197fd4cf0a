import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestShop, type TestShop } from "../../../server/testing/test-shop.ts";
import { openContract } from "../../contract.ts";

// The price list says where each level begins: an account that is exactly there, and one that is the least short of it.

const contract = openContract("ordering");
const shownBy = ["getBalance", "listProducts"].map((id) =>
  contract.operations.find(({ operationId }) => operationId === id),
);

let shop: TestShop;
beforeAll(async () => {
  shop = await startTestShop();
});
afterAll(() => shop.stop());

/** The level of a new account with that much money, by every operation that shows it; its answers are judged as well. */
async function levelsOf(balance: string): Promise<number[]> {
  const { key } = await shop.addKey(await shop.addAccount(balance));
  const levels: number[] = [];
  for (const operation of shownBy) {
    if (operation === undefined) throw new Error("The document does not show levels any more.");
    const { status, headers, text, body } = await shop.call(operation.path, { key });
    const told = { status, headers: Object.fromEntries(headers), body: text };
    expect(contract.faultsOf(operation, told)).toEqual([]);
    levels.push(body.level.level);
  }
  return levels;
}

test("a level begins exactly where the price list says", async () => {
  const { levels } = (await shop.call("/pricing")).body;
  expect(levels.length).toBeGreaterThan(1);
  for (const { level, threshold } of levels.slice(1)) {
    expect(await levelsOf(threshold), `at ${threshold}`).toEqual([level, level]);
    const short = `${Number(threshold) - 1}.9999`;
    expect(await levelsOf(short), `at ${short}`).toEqual([level - 1, level - 1]);
  }
  expect(await levelsOf("0")).toEqual([1, 1]);
});
