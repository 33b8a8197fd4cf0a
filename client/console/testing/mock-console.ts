import { request } from "node:http";
import express from "express";
import { type Operation, openContract } from "../../../contract-tests/contract.ts";
import { serveMock } from "../../../contract-tests/prism/serve-mock.ts";
import { createPages } from "../../../server/http/pages/pages.ts";

/** An example of an answer, by the operation that gives it. */
export interface AnswerExample {
  readonly operationId: string;
  readonly status: number;
  readonly name: string;
}

/** The account center's page, whose requests are answered with the document's examples. */
export interface MockConsole {
  /** `http://host:port`; the page is at `/account/`. */
  readonly url: string;
  /** From now on an operation gives this example; the others and those that were not named give their first good one. */
  prefer(...examples: readonly AnswerExample[]): void;
  /** The statuses that the operation has answered since. */
  statusesOf(operationId: string): readonly number[];
  close(): Promise<void>;
}

const HOST = "127.0.0.1";
/** Passkeys are had by name alone. */
const NAME = "localhost";

/** Serves the page that was built before a mock of the interface. @param port 0 takes a free one */
export async function startMockConsole(port = 0): Promise<MockConsole> {
  const mock = await serveMock("account", 0, false, true);
  const { operations, basePath } = openContract("account");
  const preferred = new Map<string, AnswerExample>();
  const given: { operationId: string; status: number }[] = [];
  const app = express().disable("x-powered-by");
  app.use(createPages({ name: "account" }));
  app.use((req, res) => {
    const operation = operations.find((one) => isOf(one, req.method, req.path, basePath));
    const example = preferred.get(operation?.operationId ?? "");
    const headers = {
      ...req.headers,
      // Cookies with such a name come with TLS only.
      cookie: "__Host-account-session=any",
      ...(example && { prefer: `code=${example.status}, example=${example.name}` }),
    };
    const asked = request(`${mock.origin}${req.url}`, { method: req.method, headers }, (answer) => {
      const status = answer.statusCode ?? 500;
      if (operation !== undefined) given.push({ operationId: operation.operationId, status });
      res.writeHead(status, { ...answer.headers, "cache-control": "no-store" });
      answer.pipe(res);
    });
    asked.on("error", () => res.destroy());
    req.pipe(asked);
  });
  const server = app.listen(port, HOST);
  await new Promise<void>((resolve, reject) => server.once("listening", resolve).once("error", reject));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The page is not served.");
  return {
    url: `http://${NAME}:${address.port}`,
    prefer(...examples) {
      preferred.clear();
      given.length = 0;
      for (const example of examples) preferred.set(example.operationId, example);
    },
    statusesOf: (operationId) =>
      given.filter((one) => one.operationId === operationId).map(({ status }) => status),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mock.close();
    },
  };
}

/** All named examples of an operation's answers that are JSON. */
export function examplesOf(operationId: string): AnswerExample[] {
  const operation = openContract("account").operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
  return Object.entries(operation.responses).flatMap(([status, { content }]) =>
    Object.keys(content["application/json"]?.examples ?? {}).map((name) => ({
      operationId,
      status: Number(status),
      name,
    })),
  );
}

function isOf({ method, path }: Operation, asked: string, askedPath: string, basePath: string): boolean {
  const pattern = new RegExp(`^${basePath}${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`);
  return method === asked && pattern.test(askedPath);
}
