import type { PlantedBug } from "./planted-bug.ts";

const CHAIN_TEST = "server/actions/actions.test.ts";
const COMMANDS_TEST = "server/operator/recorded-actions.test.ts";

/** Faults of the log of operators' actions: what is not recorded, or can be changed unseen. */
export const ACTION_BUGS: readonly PlantedBug[] = [
  {
    name: "actions-are-hashed-by-themselves",
    description: "The hash of an action says nothing of the one before it.",
    file: "server/actions/hash-action.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the code.
    find: 'update(`${previousHash.toString("hex")}\\n',
    replace: "update(`",
    caughtBy: CHAIN_TEST,
    test: "is hashed by the hash of the one before it",
  },
  {
    name: "chain-is-followed-by-numbers-alone",
    description: "An action that was changed together with its hash passes.",
    file: "server/actions/check-chain.ts",
    find: "else if (!previousHash.equals(before.hash))",
    replace: "else if (previousHash.length !== before.hash.length)",
    caughtBy: CHAIN_TEST,
    test: "changed together with its hash",
  },
  {
    name: "cut-off-end-passes",
    description: "The last actions can be removed unseen.",
    file: "server/actions/check-chain.ts",
    find: "if (last.sequence < end.sequence) return",
    replace: "if (last.sequence > end.sequence) return",
    caughtBy: CHAIN_TEST,
    test: "an end that was cut off",
  },
  {
    name: "end-of-chain-is-read-without-its-lock",
    description: "Two who act at once follow the same action.",
    file: "server/actions/action-store.ts",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is a template in the code.
    find: "`${END} FOR UPDATE`",
    replace: "END",
    caughtBy: CHAIN_TEST,
    test: "make one chain with every act in it once",
  },
  {
    name: "no-change-is-recorded",
    description: "A command that changes nothing is recorded as an act.",
    file: "server/actions/state.ts",
    find: "if (changed.length === 0 && before !== null && after !== null) return null;",
    replace: "",
    caughtBy: COMMANDS_TEST,
    test: "a command that changes nothing",
  },
  {
    name: "codes-are-shown-unrecorded",
    description: "Codes are written to a file, and nobody is told.",
    file: "server/stock/read-codes-aside.ts",
    find: "await transaction(database, (tx) => recordAction(tx, action));",
    replace: "void [database, transaction, recordAction, action];",
    caughtBy: COMMANDS_TEST,
    test: "stock codes",
  },
  {
    name: "full-key-is-recorded",
    description: "The secret of a new key stands in the log.",
    file: "server/keys/create-key.ts",
    find: "targetId: key.keyId, after: key });",
    replace: "targetId: key.keyId, after: { ...key, secret } });",
    caughtBy: COMMANDS_TEST,
    test: "key create",
  },
];
