import { keyName } from "../../fuzz/callers.ts";
import type { RawTarget } from "../../fuzz/raw-target.ts";
import { MODELS } from "./fuzz-data.ts";

/** Calls of a model on a socket. */
export const raw: RawTarget = {
  readPath: "/v1/me",
  credential: keyName("general"),
  admission: { header: "x-api-key", prefix: "" },
  ignoresSlashes: true,
  write: {
    path: "/v1/messages",
    headers: "anthropic-version: 2023-06-01\r\n",
    numberField: "max_tokens",
    limitBytes: 32 * 1024 * 1024,
    passesBodiesOn: true,
    fields: () => `"model":"${MODELS[0]}","messages":[{"role":"user","content":"x"}]`,
  },
  answers: {
    ok: [200],
    unreadable: [400, "invalid_request_error"],
    invalid: [400, "invalid_request_error"],
    "no such path": [404, "not_found_error"],
    "no such method": [405, "invalid_request_error"],
    "no key": [401, "authentication_error"],
  },
};
