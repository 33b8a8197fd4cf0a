import type { Router } from "express";
import { createInterface, type InterfaceOptions } from "../../http/interface.ts";
import { bearerSecret } from "../api-key-admission.ts";
import { toOrderingErrorAnswer } from "./errors.ts";
import { ORDERING_HANDLERS } from "./handlers.ts";

/** Answers everything at and below /shop, whatever its version. */
export function createOrderingInterface(options: InterfaceOptions): Router {
  return createInterface(
    {
      name: "ordering",
      owns: (path) => path === "/shop" || path.startsWith("/shop/"),
      body: { limit: "64kb", keepsBytes: false },
      admission: { secretsOf: bearerSecret, countsWrongKinds: true },
      handlers: ORDERING_HANDLERS,
      toErrorAnswer: toOrderingErrorAnswer,
    },
    options,
  );
}
