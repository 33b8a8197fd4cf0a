import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import type { KeyId } from "../ids.ts";
import { createMessageBreakpoint } from "../testing/faults/message-breakpoint.ts";
import { openTestServices, type TestServices, testConfig } from "../testing/test-shop.ts";

const HOUR_MS = 3_600_000;

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
// Ends with the audit.
afterAll(() => services.dispose());

/** A process whose every message to the database can be its last. */
async function openProcess() {
  const breakpoint = createMessageBreakpoint();
  const process = compose(
    testConfig(await breakpoint.before(services.databaseTcpUrl), { databasePoolSize: 1 }),
  );
  onTestFinished(async () => {
    breakpoint.close();
    await closeDatabase(process.database);
  });
  return { breakpoint, keys: process.keys };
}

/** How the key stands: its secrets that work, as they are shown. */
async function standing(keyId: KeyId) {
  const { preview, formerSecrets } = await services.keys.get(keyId);
  return { preview, former: formerSecrets.map(({ preview }) => preview) };
}

test("a process that dies at any step of a rotation leaves the key rotated or as it was", async () => {
  const accountId = await services.addAccount();
  const counted = await openProcess();
  await counted.keys.rotate((await services.addKey(accountId)).keyId, HOUR_MS);
  const steps = counted.breakpoint.count();
  const ends = new Set<string>();
  for (let step = 1; step <= steps; step += 1) {
    const { keyId, key } = await services.addKey(accountId);
    const before = await standing(keyId);
    const { breakpoint, keys } = await openProcess();
    breakpoint.fireAt(step, breakpoint.shut);
    await expect(keys.rotate(keyId, HOUR_MS)).rejects.toThrow();
    const after = await standing(keyId);
    const rotated = { preview: expect.not.stringContaining(before.preview), former: [before.preview] };
    expect([before, rotated]).toContainEqual(after);
    ends.add(after.preview === before.preview ? "as it was" : "rotated");
    // Whatever came of it, who has only the old secret is let in, and rotates again.
    expect(await services.keys.authenticate(key)).toMatchObject({ keyId });
    const { key: next } = await services.keys.rotate(keyId, HOUR_MS);
    expect(await services.keys.authenticate(next)).toMatchObject({ keyId });
  }
  expect([...ends].toSorted()).toEqual(["as it was", "rotated"]);
});
