import { expect, test } from "vitest";
import { INTERFACES, openContract } from "../contract.ts";
import { interfaceUnderTest } from "../interface-under-test.ts";
import { startLiveShop } from "./live-shop.ts";
import { reportOn } from "./report.ts";
import { runDredd } from "./run-dredd.ts";

test.each(INTERFACES)("the live server gives every documented answer of %s", async (name) => {
  const contract = openContract(name);
  const { dreddRequests } = await interfaceUnderTest(name);
  const shop = await startLiveShop();
  const requests = await dreddRequests(shop);
  const { outcomes, complaints } = await runDredd(
    shop.urls[contract.listener],
    { name, requests },
    shop.enter,
  );
  const { table, faults } = reportOn(contract.operations, outcomes);
  console.log(`Dredd, ${name}:\n${table}`);
  const found = [...complaints, ...faults];
  if (found.length > 0) expect.fail(`The live server breaks the contract.\n\n${found.join("\n\n")}`);
});
