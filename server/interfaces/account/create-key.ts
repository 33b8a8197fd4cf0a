import { actorOf } from "../visitor.ts";
import { toKeyProperties } from "./convert-key.ts";
import { operation } from "./operation.ts";
import { membershipOf } from "./session-admission.ts";
import { shownKey } from "./shown-key.ts";

export const createKey = operation(
  "createKey",
  async ({ path, headers, body: { kind, ...properties }, principal }, services, answer) => {
    const { signedIn } = principal;
    const { accountId } = membershipOf(signedIn.memberships, path.accountId);
    services.people.sessions.requireRecentFactor(signedIn);
    const idempotencyKey = headers["Idempotency-Key"];
    const request = { accountId, kind, idempotencyKey, ...toKeyProperties(properties) };
    const { key: secret, ...key } = await services.keys.create(request, actorOf(principal));
    return answer(201, { secret, key: await shownKey(services, key) });
  },
);
