import type { PlantedBug } from "./planted-bug.ts";

/** Faults of imports and segments. */
export const STOCK_BUGS: readonly PlantedBug[] = [
  {
    name: "import-without-its-lease",
    description: "An import that has lost its lease goes on.",
    file: "server/stock/stock-store.ts",
    find: "lease_expires_at_ms = ?`,\n    [grown",
    replace: "lease_expires_at_ms <> -?`,\n    [grown",
    caughtBy: "server/stock/stock.test.ts",
    test: "holds the lease",
  },
  {
    name: "running-import-replaced",
    description: "An import replaces another that is running.",
    file: "server/stock/import.ts",
    find: "if (leaseLeftMs > 0)",
    replace: "if (leaseLeftMs > LEASE_MS)",
    caughtBy: "server/stock/stock.test.ts",
    test: "import that died",
  },
  {
    name: "unreadable-code-sold",
    description: "A code that cannot be opened is sold and charged.",
    file: "server/stock/open-codes.ts",
    find: "throw new UnreadableCodeError(productId, sequence, keyIdOf(ciphertext));",
    replace: 'return String(keyIdOf(ciphertext) ?? "");',
    caughtBy: "server/stock/set-aside.test.ts",
    test: "cannot be opened",
  },
  {
    name: "missing-key-sets-aside",
    description: "A process that lacks an encryption key takes good codes out of sale.",
    file: "server/stock/set-aside.ts",
    find: "!cipher.hasKey(keyId) &&",
    replace: "cipher.hasKey(keyId) &&",
    caughtBy: "server/stock/set-aside.test.ts",
    test: "lacks the encryption key",
  },
  {
    name: "sold-out-import-recalled",
    description: "An import that is sold out can be recalled.",
    file: "server/stock/stock.ts",
    find: 'state !== "open" && state !== "importing" && state !== "set_aside"',
    replace: 'state === "recalled"',
    caughtBy: "server/stock/stock.test.ts",
    test: "sold out",
  },
  {
    name: "rotation-past-other-processes",
    description: "Codes are encrypted with a key that a running process lacks.",
    file: "server/encryption/rotate-keys.ts",
    find: "if (others.length === 0) return;",
    replace: "if (others.length >= 0) return;",
    caughtBy: "server/encryption/rotate-keys.test.ts",
    test: "nothing is rotated",
  },
];
