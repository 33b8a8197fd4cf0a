import { expect, test } from "vitest";
import document from "../../../../generated/account/openapi.json" with { type: "json" };
import { actionWords, KNOWN_ACTIONS } from "./action-words.ts";

test("everything that the document names has words", () => {
  const named = document.components.schemas.ActivityEntry.properties.action.examples;
  expect(named).toContain("codes_shown");
  expect(named.filter((action) => !KNOWN_ACTIONS.includes(action))).toEqual([]);
});

test("what has no words yet is told as it is called", () => {
  expect(actionWords("key_created")).toBe("Made a key");
  expect(actionWords("account_painted")).toBe("account painted");
});
