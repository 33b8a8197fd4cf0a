import { expect, test } from "vitest";
import { type Contract, headersWith, INTERFACES, openContract } from "../contract.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { startLiveShop } from "./live-shop.ts";
import { reportOn } from "./report.ts";
import { runDredd } from "./run-dredd.ts";

test.each(INTERFACES)("the live server gives every documented answer of %s", async (name) => {
  const contract = openContract(name);
  const { dreddRequests } = await interfaceUnderTest(name);
  const shop = await startLiveShop();
  const requests = await dreddRequests(shop);
  if (requests.exhausted !== null) await useUp(contract, shop.url, requests.exhausted);
  const { outcomes, complaints } = await runDredd(shop.url, { name, requests }, shop.enter);
  const { table, faults } = reportOn(contract.operations, outcomes);
  console.log(`Dredd, ${name}:\n${table}`);
  const found = [...complaints, ...faults];
  if (found.length > 0) expect.fail(`The live server breaks the contract.\n\n${found.join("\n\n")}`);
});

/** Sends the one request that the caller may send in a minute. */
async function useUp({ basePath, operations }: Contract, url: string, credential: string): Promise<void> {
  const operation = operations.find(({ path, admissions }) => !path.includes("{") && admissions.length > 0);
  const [admission] = operation?.admissions ?? [];
  if (!operation || !admission) return;
  await fetch(`${url}${basePath}${operation.path}`, {
    method: operation.method,
    headers: headersWith(admission, credential),
  });
}
