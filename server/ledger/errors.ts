import { DomainError } from "../errors.ts";
import { formatDecimalMoney, type Microcents } from "../money/microcents.ts";

/** The available balance does not cover what was asked for. */
export class InsufficientBalanceError extends DomainError {
  readonly code = "insufficient_balance";

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

  static ofCall(most: Microcents): InsufficientBalanceError {
    return new InsufficientBalanceError(
      "The available balance does not cover the most that this call may cost. Top up, or lower max_tokens.",
      { amount: formatDecimalMoney(most, "up") },
    );
  }
}
