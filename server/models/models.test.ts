import { afterEach, beforeEach, expect, test } from "vitest";
import { microcents } from "../money/microcents.ts";
import { addModel, UNIT_PRICES } from "../testing/test-calls.ts";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";
import type { ModelSettings } from "./model.ts";

let services: TestServices;
beforeEach(async () => {
  services = await openTestServices();
});
afterEach(() => services.dispose());

const GOOD: ModelSettings = { modelId: "m-1", name: "One", prices: UNIT_PRICES, maxOutputTokens: 8_192 };

test("a model is set, found, set anew and keeps its age", async () => {
  const first = await services.models.set(GOOD);
  expect(first).toMatchObject({ ...GOOD, enabled: true });
  expect(await services.models.findOffered("m-1")).toEqual(first);
  const anew = {
    ...GOOD,
    name: "Other",
    maxOutputTokens: null,
    prices: { ...UNIT_PRICES, inputMicrocents: microcents(7n) },
  };
  expect(await services.models.set(anew)).toEqual({ ...first, ...anew });
  expect(await services.models.list()).toEqual([{ ...first, ...anew }]);
});

test("a disabled model is offered to nobody until it is set again", async () => {
  await addModel(services, "kept");
  await addModel(services, "stopped");
  expect(await services.models.disable("stopped")).toMatchObject({ enabled: false });
  expect(await services.models.findOffered("stopped")).toBeNull();
  expect((await services.models.offered()).map(({ modelId }) => modelId)).toEqual(["kept"]);
  expect((await services.models.list()).map(({ modelId }) => modelId)).toEqual(["kept", "stopped"]);
  await addModel(services, "stopped");
  expect(await services.models.findOffered("stopped")).toMatchObject({ enabled: true });
});

test("many at once get each the model of their id, which is compared byte for byte", async () => {
  await addModel(services, "a");
  await addModel(services, "b/c:d@1.0_x");
  const asked = ["a", "A", "b/c:d@1.0_x", "none", "a ", "", "a", "ä", "x".repeat(129)];
  const found = await Promise.all(asked.map((modelId) => services.models.findOffered(modelId)));
  expect(found.map((model) => model?.modelId ?? null)).toEqual([
    "a",
    null,
    "b/c:d@1.0_x",
    null,
    null,
    null,
    "a",
    null,
    null,
  ]);
});

test("a model that is not in order is refused", async () => {
  const faults: Record<string, Partial<ModelSettings>> = {
    "an id with a space": { modelId: "a b" },
    "no id": { modelId: "" },
    "no name": { name: " " },
    "a long name": { name: "n".repeat(201) },
    "a price below zero": { prices: { ...UNIT_PRICES, inputMicrocents: microcents(-1n) } },
    "a price beyond all measure": {
      prices: { ...UNIT_PRICES, outputMicrocents: microcents(10n ** 12n + 1n) },
    },
    "no output": { maxOutputTokens: 0 },
    "half a token": { maxOutputTokens: 1.5 },
  };
  for (const [fault, settings] of Object.entries(faults)) {
    const refused = services.models.set({ ...GOOD, ...settings });
    await expect(refused, fault).rejects.toMatchObject({ code: "invalid_input" });
  }
  expect(await services.models.list()).toEqual([]);
});

test("a model that is not there cannot be disabled", async () => {
  await expect(services.models.disable("none")).rejects.toMatchObject({ code: "not_found" });
  await expect(services.models.disable("no ne")).rejects.toMatchObject({ code: "not_found" });
});
