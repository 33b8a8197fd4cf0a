import { expect, test } from "vitest";
import { createPasswords } from "./password.ts";

test("a password is the one of its hash, in whatever characters it is typed, and no other is", async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash("Zürich, 12 Ångström");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await passwords.hash("Zürich, 12 Ångström")).not.toBe(hash);
  expect(await passwords.verify("Zürich, 12 Ångström".normalize("NFD"), hash)).toBe(true);
  expect(await passwords.verify("Zurich, 12 Angstrom", hash)).toBe(false);
  expect(await passwords.verify("", hash)).toBe(false);
});

test("a hash of another cost is compared at its own", async () => {
  // Made with 64 MiB and three passes of "a password of old".
  const hash =
    "$argon2id$v=19$m=65536,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$bWNKaLpcvXrePQaG1vPv3frZgg7WOdhWAjAx3alSOWk";
  expect(await createPasswords().verify("a password of old", hash)).toBe(true);
});

test("without a hash every password is wrong, also that of nothing", async () => {
  const passwords = createPasswords();
  for (const password of ["", "password"]) expect(await passwords.verify(password, null)).toBe(false);
});

test("more than can be checked in time are refused, and told to come again", async () => {
  const passwords = createPasswords();
  const cheap = `$argon2id$v=19$m=8,t=1,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;
  const outcomes = await Promise.allSettled(Array.from({ length: 67 }, () => passwords.verify("x", cheap)));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.objectContaining({ code: "passwords_busy", retryAfterSeconds: 5 }),
  ]);
});
