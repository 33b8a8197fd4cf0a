import { LRUCache } from "lru-cache";
import type { AccountId } from "../ids.ts";
import type { Log } from "../log.ts";
import { SHOP_REFUSALS, UpstreamMisconfiguredError, UpstreamRefusedError } from "./errors.ts";

/** What operators are to look into: what the upstream has against the shop, or what it tells several buyers alike. */
export const UPSTREAM_ALARMS = [...SHOP_REFUSALS, "repeated_refusal"] as const;
export type UpstreamAlarm = (typeof UPSTREAM_ALARMS)[number];

/** The call that was refused. */
interface RefusedCall {
  readonly requestId: string;
  readonly accountId: AccountId;
}

/** Notes refusals of the upstream that operators have to know of. */
export interface UpstreamAlarms {
  /** Looks at why a call failed. */
  note(error: unknown, call: RefusedCall): void;
  /** How often each alarm was raised since the process began. */
  counts(): Readonly<Record<UpstreamAlarm, number>>;
}

/** So many accounts do not make the same mistake by chance. */
const SEVERAL_ACCOUNTS = 3;
const REMEMBERED = { max: 1_000, ttl: 10 * 60_000 };
const MAX_TEXT_LENGTH = 200;

/**
 * Watches what the upstream refuses. A refusal of the shop that is not known as one looks like a fault of the request, and
 * all buyers get it: so the same words to several accounts within ten minutes raise an alarm, once in that time.
 */
export function createUpstreamAlarms(log: Log): UpstreamAlarms {
  const counts = Object.fromEntries(UPSTREAM_ALARMS.map((alarm) => [alarm, 0])) as Record<
    UpstreamAlarm,
    number
  >;
  const accountsByText = new LRUCache<string, Set<AccountId>>(REMEMBERED);

  function noteRefusal(text: string, status: number, { requestId, accountId }: RefusedCall): void {
    const likeness = `${status} ${text.slice(0, MAX_TEXT_LENGTH).replaceAll(/\d+/g, "0")}`;
    const accounts = accountsByText.get(likeness) ?? new Set();
    if (accounts.size === SEVERAL_ACCOUNTS) return;
    accounts.add(accountId);
    if (accounts.size === 1) accountsByText.set(likeness, accounts);
    if (accounts.size < SEVERAL_ACCOUNTS) return;
    counts.repeated_refusal += 1;
    // Words that several buyers get alike hold nothing of what any of them has sent.
    const refusal = text.slice(0, MAX_TEXT_LENGTH);
    log.error(
      { requestId, status, refusal },
      "the upstream refuses requests of several accounts in the same words",
    );
  }

  return {
    note(error, call) {
      if (error instanceof UpstreamMisconfiguredError) {
        const { reason, upstreamStatus: status } = error;
        counts[reason] += 1;
        log.error({ requestId: call.requestId, reason, status }, "the upstream refuses this service");
      } else if (error instanceof UpstreamRefusedError && error.code === "upstream_refused") {
        noteRefusal(error.message, error.upstreamStatus, call);
      }
    },
    counts: () => ({ ...counts }),
  };
}
