import { expect, test } from "vitest";
import { hashSecret, isWellFormedSecret, newSecret, previewSecret } from "./secret.ts";

test("a new secret is well-formed and none is like another", () => {
  const secrets = Array.from({ length: 200 }, () => newSecret("svc_sk_"));
  expect(new Set(secrets).size).toBe(200);
  for (const secret of secrets) {
    expect(secret).toMatch(/^svc_sk_[0-9A-Za-z]{49}$/);
    expect(isWellFormedSecret("svc_sk_", secret)).toBe(true);
  }
});

test("any changed character is told by the checksum", () => {
  const secret = newSecret("svc_sk_");
  for (let index = "svc_sk_".length; index < secret.length; index += 1) {
    const changed = secret.slice(0, index) + (secret[index] === "a" ? "b" : "a") + secret.slice(index + 1);
    expect(isWellFormedSecret("svc_sk_", changed)).toBe(false);
  }
  expect(isWellFormedSecret("other_", secret)).toBe(false);
  expect(isWellFormedSecret("svc_sk_", `${secret} `)).toBe(false);
});

test("the preview shows eight characters of the secret and no more", () => {
  const secret = newSecret("svc_sk_");
  expect(previewSecret("svc_sk_", secret)).toBe(`${secret.slice(0, 11)}…${secret.slice(-4)}`);
  expect(hashSecret(secret)).toHaveLength(32);
});
