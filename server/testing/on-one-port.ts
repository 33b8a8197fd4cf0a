import type { RequestListener } from "node:http";
import type { composeApps } from "../compose-http.ts";
import type { App } from "../http/app.ts";

/** What is at the operators' port, also where a request writes its target with the host. */
const OF_OPERATORS = /^(?:https?:\/\/[^/]*)?\/operator(?:\/|\?|$)/;

/** What all ports of a service answer, behind a single one, for tests that ask whatever interface there is. */
export function onOnePort(apps: ReturnType<typeof composeApps>): Pick<App, "answerConnectionFault"> & {
  readonly app: RequestListener;
} {
  const of = (target: string) => (OF_OPERATORS.test(target) ? apps.operator : apps.public);
  return {
    app: (req, res) => of(req.url ?? "").app(req, res),
    answerConnectionFault: (fault, path) => of(path ?? "").answerConnectionFault(fault, path),
  };
}
