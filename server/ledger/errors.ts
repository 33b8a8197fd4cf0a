import { DomainError } from "../errors.ts";
import { formatDecimalMoney, type Microcents } from "../money/microcents.ts";

/** The available balance does not cover what was asked for. */
export class InsufficientBalanceError extends DomainError {
  readonly code = "insufficient_balance";
  /** What was available of the account; null when that is not known. */
  availableMicrocents: Microcents | null = null;

  static ofOrder(amount: Microcents): InsufficientBalanceError {
    return new InsufficientBalanceError(
      "The available balance does not cover this order. Top up and retry with the same externalOrderId.",
      { amount: formatDecimalMoney(amount, "up") },
    );
  }

  static ofLargeRequest(): InsufficientBalanceError {
    return new InsufficientBalanceError(
      "Nothing of the balance is available, and a request of more than 64 KiB is only read when something is. Top up.",
    );
  }

  /** @param available null: not known; no balance would do. */
  static ofCall(most: Microcents, available: Microcents | null): InsufficientBalanceError {
    const amount = formatDecimalMoney(most, "up");
    const amounts = `${amount} USD are needed${available === null ? "" : `, ${formatDecimalMoney(available)} USD are available`}`;
    const error = new InsufficientBalanceError(
      `The available balance does not cover the most that this call may cost: ${amounts}. Top up, or lower max_tokens.`,
      { amount },
    );
    error.availableMicrocents = available;
    return error;
  }
}
