import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestServices, type TestServices } from "../testing/test-shop.ts";

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
afterAll(() => services.dispose());

test("a text that no product can have for its id spoils no look of another buyer at the same time", async () => {
  const { productId } = await services.addProduct({ codes: 3 });
  // The first look reads at once, those that come meanwhile share the next reading.
  const asked = [productId, "é", productId, "😀", "x\0", productId];
  const looks = await Promise.allSettled(asked.map((id) => services.products.offer(id, 1)));
  const answers = looks.map((look) =>
    look.status === "fulfilled" ? look.value.remaining : look.reason.name,
  );
  const none = "NotFoundError";
  expect(answers).toEqual([3, none, 3, none, none, 3]);
});
