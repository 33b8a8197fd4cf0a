import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import { MAX_CALLS_IN_FLIGHT, MAX_RPM_LIMIT } from "./account.ts";

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
// Ends with the audit.
afterAll(() => services.dispose());

const REFUSED = { code: "invalid_input" };

test("an account's name and requests a minute have limits, and are taken at them", async () => {
  const create = (name: string, rpmLimit: number) => services.accounts.create({ name, rpmLimit });
  for (const [name, rpmLimit] of [
    ["x".repeat(200), 1],
    ["x", MAX_RPM_LIMIT],
  ] as const)
    expect(await create(name, rpmLimit)).toMatchObject({ name, rpmLimit });
  for (const [name, rpmLimit] of [
    ["x".repeat(201), 1],
    [" ", 1],
    ["x", MAX_RPM_LIMIT + 1],
    ["x", 0],
    ["x", 1.5],
  ] as const)
    await expect(create(name, rpmLimit)).rejects.toMatchObject(REFUSED);
});

test("an account's calls at once have limits, and are taken at them without a change of what else is set", async () => {
  const accountId = await services.addAccount();
  const set = (callsInFlightLimit: number | null) => services.accounts.set(accountId, { callsInFlightLimit });
  await services.accounts.set(accountId, { lowersMaxTokens: true });
  for (const limit of [1, MAX_CALLS_IN_FLIGHT, null])
    expect(await set(limit)).toMatchObject({ callsInFlightLimit: limit, lowersMaxTokens: true });
  for (const limit of [0, MAX_CALLS_IN_FLIGHT + 1, 1.5])
    await expect(set(limit)).rejects.toMatchObject(REFUSED);
});
