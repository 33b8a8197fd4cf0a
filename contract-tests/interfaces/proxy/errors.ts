import { InvalidInputError, NotFoundError } from "../../../server/errors.ts";
import { InsufficientBalanceError } from "../../../server/ledger/errors.ts";
import {
  REFUSAL_STATUSES,
  ThreadNotOfferedError,
  TooManyCallsError,
  UnknownModelError,
  UpstreamMisconfiguredError,
  UpstreamRefusedError,
  UpstreamUnavailableError,
} from "../../../server/messages/errors.ts";
import { refusalOf } from "../../../server/messages/refusal.ts";
import { microcents } from "../../../server/money/microcents.ts";
import { OF_BODIES, OF_CHANGES, OF_PAGES } from "../../error-codes/domain-errors.ts";
import { codeOf, type InterfaceErrors, metBy } from "../../error-codes/interface-errors.ts";

const MESSAGES = ["createMessage", "countTokens"];
const AMOUNT = microcents(100_000_000n);

/** What an upstream says when it refuses: nothing, or an error of a type that may come with several statuses. */
const WORDS = [
  Buffer.alloc(0),
  ...["invalid_request_error", "permission_error"].map((type) =>
    Buffer.from(JSON.stringify({ type: "error", error: { type, message: "It says no." } })),
  ),
];

/** With what X-Should-Retry says. */
const ANSWERS: Readonly<Record<string, string>> = {
  stopping: "503 api_error true",
  deadline_passed: "503 api_error true",
  database_unavailable: "503 api_error true",
  contention: "503 api_error true",
  commit_outcome_unknown: "503 api_error true",
  service_busy: "503 api_error true",
  invalid_input: "400 invalid_request_error false",
  bad_request: "400 invalid_request_error false",
  unknown_model: "400 invalid_request_error false",
  not_found: "404 not_found_error false",
  too_many_bodies: "429 rate_limit_error true",
  too_many_calls: "429 rate_limit_error true",
  upstream_misconfigured: "500 api_error false",
};

/** Statuses of the upstream's refusals after which the same request may pass. */
const PASSING: ReadonlySet<number> = new Set([408, 409, 429, 529]);

export default {
  met: [
    ...metBy(["getModel"], [new NotFoundError("model", "none")]),
    ...metBy(["listModels", "listUsage", "listLedger"], OF_PAGES),
    ...metBy(MESSAGES, [
      ...OF_BODIES,
      new InvalidInputError("max_tokens: it is more than the model gives."),
      InsufficientBalanceError.ofCall(AMOUNT, null),
      InsufficientBalanceError.ofCall(AMOUNT, {
        availableMicrocents: microcents(0n),
        reservedMicrocents: AMOUNT,
      }),
      InsufficientBalanceError.ofLargeRequest(),
      new UnknownModelError("none"),
      new ThreadNotOfferedError("thread: Not offered by this shop."),
      new UpstreamMisconfiguredError("key", 401),
      new UpstreamUnavailableError("It was not reached.", { retryAfterSeconds: 2 }),
      new UpstreamUnavailableError("It failed.", { workDone: true }),
      ...REFUSAL_STATUSES.flatMap((status) => WORDS.map((words) => refusalOf(status, {}, words))),
    ]),
    ...metBy(["createMessage"], [...OF_CHANGES, new TooManyCallsError(64)]),
  ],
  answerTo(error) {
    if (error instanceof UpstreamRefusedError)
      return `${error.upstreamStatus} ${error.words.type} ${PASSING.has(error.upstreamStatus)}`;
    if (error instanceof UpstreamUnavailableError)
      return error.retryAfterSeconds === null ? `502 api_error ${!error.workDone}` : "503 api_error true";
    if (error instanceof InsufficientBalanceError) return `402 billing_error ${error.isCoveredLater}`;
    return ANSWERS[codeOf(error)] ?? null;
  },
  detailsOf: () => null,
} satisfies InterfaceErrors;
