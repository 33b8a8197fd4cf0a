import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { newId } from "../ids.ts";
import { createCipher } from "../stock/code-cipher.ts";
import { TEST_KEY_RING } from "../testing/test-shop.ts";
import type { Order } from "./order.ts";
import { decryptCode, encryptCodes } from "./purchased-code.ts";

const cipher = createCipher(TEST_KEY_RING);
const fingerprintKey = createSecretKey(Buffer.alloc(32, 1));
const order = { orderId: newId("ord"), productId: "product" } as Order;

test("codes that were bought open in their places, and nowhere else", () => {
  const [first, second] = encryptCodes({ cipher, fingerprintKey }, order, ["A", "B"]);
  if (first === undefined || second === undefined) throw new Error("A code is missing.");
  expect([first, second].map((code) => decryptCode(cipher, order.orderId, code))).toEqual(["A", "B"]);
  expect(() => decryptCode(cipher, order.orderId, { ...first, position: 1 })).toThrow();
});

test("a code is known again in another order of its product, and in none of another product", () => {
  const fingerprintIn = (productId: string) => {
    const [code] = encryptCodes({ cipher, fingerprintKey }, { ...order, orderId: newId("ord"), productId }, [
      "A",
    ]);
    return code?.fingerprint.toString("hex");
  };
  expect(fingerprintIn("product")).toBe(fingerprintIn("product"));
  expect(fingerprintIn("product")).not.toBe(fingerprintIn("other"));
});

test.each([
  ["opens in no place", (code: string | Buffer) => cipher.encrypt(code, "elsewhere")],
  ["is another", (_code: string | Buffer, context: string) => cipher.encrypt("C", context)],
])("a code that %s when it is opened again is not delivered", (_name, encrypt) => {
  const faulty = { encrypt, decrypt: cipher.decrypt };
  expect(() => encryptCodes({ cipher: faulty, fingerprintKey }, order, ["A"])).toThrow();
});
