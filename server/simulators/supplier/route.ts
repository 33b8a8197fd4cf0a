/** The path of the base URL of every service that speaks the ordering contract. */
export const BASE_PATH = "/shop/v1";

/** The operations of the ordering contract. */
export const OPERATIONS = [
  "getPricing",
  "listProducts",
  "checkAvailability",
  "getBalance",
  "createOrder",
  "listOrders",
  "getOrder",
] as const;

export type Operation = (typeof OPERATIONS)[number];

/** Where a request goes. `id` is as it stands in the path, still encoded; `query` has no question mark. */
export interface Route {
  readonly operation: Operation;
  readonly id: string;
  readonly query: string;
}

type Methods = Readonly<Record<string, Operation>>;

const PATHS: Readonly<Record<string, Methods>> = {
  "/pricing": { GET: "getPricing" },
  "/products": { GET: "listProducts" },
  "/balance": { GET: "getBalance" },
  "/orders": { POST: "createOrder", GET: "listOrders" },
};

const PATHS_WITH_ID: readonly (readonly [pattern: RegExp, methods: Methods])[] = [
  [/^\/products\/([^/]+)\/availability$/, { GET: "checkAvailability" }],
  [/^\/orders\/([^/]+)$/, { GET: "getOrder" }],
];

/**
 * Finds the operation of a request.
 * @returns `null` for a path that the contract does not have, and the methods that it has for another method.
 */
export function findRoute(method: string, url: string): Route | { allow: string } | null {
  const question = url.indexOf("?");
  const path = question < 0 ? url : url.slice(0, question);
  if (!path.startsWith(BASE_PATH)) return null;
  const found = findMethods(path.slice(BASE_PATH.length));
  if (found === null) return null;
  const operation = Object.hasOwn(found.methods, method) ? found.methods[method] : undefined;
  if (operation === undefined) return { allow: Object.keys(found.methods).join(", ") };
  return { operation, id: found.id, query: question < 0 ? "" : url.slice(question + 1) };
}

function findMethods(path: string): { methods: Methods; id: string } | null {
  const methods = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
  if (methods !== undefined) return { methods, id: "" };
  for (const [pattern, methodsWithId] of PATHS_WITH_ID) {
    const id = pattern.exec(path)?.[1];
    if (id !== undefined) return { methods: methodsWithId, id };
  }
  return null;
}
