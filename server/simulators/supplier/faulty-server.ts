import type { IncomingMessage, ServerResponse } from "node:http";
import type { Delays } from "../shared/delays.ts";
import { startServer } from "../shared/http.ts";
import { answerControlRequest, CONTROL_PATH, type ControlRoutes, faultRoutes } from "./control.ts";
import type { FaultRule, FaultSchedule, RandomFaults } from "./fault-schedule.ts";
import type { FaultInput } from "./faults.ts";
import { BASE_PATH } from "./route.ts";

/** A server with a control interface and faults: the simulator, or the fault injector. */
export interface FaultyServer {
  /** Its ordering interface, with the base path. */
  readonly url: string;
  /** Lets the next fitting requests go wrong. @throws {z.ZodError} */
  fault(rule: FaultRule): void;
  /** Gives each of the next purchases its fault, in this order. @throws {z.ZodError} */
  nextPurchases(...faults: readonly FaultInput[]): void;
  /** Lets requests go wrong at random, until null switches it off. @throws {z.ZodError} */
  randomFaults(settings: RandomFaults | null): void;
  /** Forgets all faults that were asked for, but not those that products have. */
  clearFaults(): void;
  /** Answers, and does, at once what has begun and is to come later. */
  endDelays(): void;
  /** Stops listening and cuts every connection. */
  down(): Promise<void>;
  /** Listens on the same port again. */
  up(): Promise<void>;
  /** Ends it for good; effects that were still to come do not come any more. */
  close(): Promise<void>;
}

/** What a faulty server is made of. */
export interface FaultyServerParts {
  readonly port: number;
  readonly faults: FaultSchedule;
  readonly delays: Delays;
  /** What its control interface knows beyond faults. */
  readonly routes?: ControlRoutes;
  /** Answers whatever is not for the control interface. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Ends a request that threw. */
  onError(error: unknown, response: ServerResponse): void;
}

/** Starts a server whose faults can be asked for by its process and over HTTP. */
export async function startFaultyServer(parts: FaultyServerParts): Promise<FaultyServer> {
  const { port, faults, delays, routes, answer, onError } = parts;
  const server = await startServer(port, (request, response) => {
    const answered = request.url?.startsWith(`${CONTROL_PATH}/`)
      ? answerControlRequest(controls, request, response)
      : answer(request, response);
    answered.catch((error: unknown) => onError(error, response));
  });
  const controls = { ...faultRoutes(faults, server, delays), ...routes };
  return {
    url: server.origin + BASE_PATH,
    fault: (rule) => faults.add(rule),
    nextPurchases(...inputs) {
      for (const input of inputs) faults.add(typeof input === "string" ? { kind: input } : input);
    },
    randomFaults: (settings) => faults.setRandom(settings),
    clearFaults: () => faults.clear(),
    endDelays: () => delays.endAll(),
    down: () => server.down(),
    up: () => server.up(),
    async close() {
      delays.cancelAll();
      await server.down();
    },
  };
}
