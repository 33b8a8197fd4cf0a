import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { codeContext, createCipher, fingerprint } from "./code-cipher.ts";

const oldKey = { id: "old", key: randomBytes(32) };
const newKey = { id: "new", key: randomBytes(32) };
const here = codeContext("product", 7n);

test("what was closed under an earlier key opens as long as the key is in the ring", () => {
  const closed = createCipher([oldKey]).encrypt("CODE-ä", here);
  expect(createCipher([newKey, oldKey]).decrypt(closed, here).toString()).toBe("CODE-ä");
  expect(() => createCipher([newKey]).decrypt(closed, here)).toThrow(/"old" is not in CODE_ENCRYPTION_KEYS/);
});

test("a code opens at its own place only, and never when a byte has changed", () => {
  const cipher = createCipher([newKey]);
  const closed = cipher.encrypt("CODE", here);
  expect(() => cipher.decrypt(closed, codeContext("product", 8n))).toThrow();
  expect(() => cipher.decrypt(closed, codeContext("other", 7n))).toThrow();
  for (let index = 4; index < closed.length; index += 1) {
    const changed = Buffer.from(closed);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => cipher.decrypt(changed, here)).toThrow();
  }
});

test("the same code closes differently each time, and has one fingerprint per product and key", () => {
  const cipher = createCipher([newKey]);
  expect(cipher.encrypt("CODE", here)).not.toEqual(cipher.encrypt("CODE", here));
  const [key, otherKey] = [createSecretKey(newKey.key), createSecretKey(oldKey.key)];
  const digest = fingerprint(key, "product", "CODE");
  expect(digest).toEqual(fingerprint(key, "product", "CODE"));
  expect(digest).not.toEqual(fingerprint(key, "other", "CODE"));
  expect(digest).not.toEqual(fingerprint(otherKey, "product", "CODE"));
});
