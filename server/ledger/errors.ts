import { DomainError } from "../errors.ts";
import { add, formatDecimalMoney, type Microcents } from "../money/microcents.ts";

/** What an account had when something was refused for lack of it. */
export interface LackingFunds {
  readonly availableMicrocents: Microcents;
  /** What was set aside for orders and calls under way, so that some of it may soon be available again. */
  readonly reservedMicrocents: Microcents;
}

/** The available balance does not cover what was asked for. */
export class InsufficientBalanceError extends DomainError {
  readonly code = "insufficient_balance";
  /** What the account had; null when that is not known. */
  funds: LackingFunds | null = null;
  /** Whether it would be covered if all that is set aside were given back, so that asking again can help. */
  isCoveredLater = false;

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

  /** @param funds null: not known; no balance would do. */
  static ofCall(most: Microcents, funds: LackingFunds | null): InsufficientBalanceError {
    const amount = formatDecimalMoney(most, "up");
    const available = funds && `, ${formatDecimalMoney(funds.availableMicrocents)} USD are available`;
    const isCoveredLater = funds !== null && add(funds.availableMicrocents, funds.reservedMicrocents) >= most;
    const advice = isCoveredLater
      ? "Wait for calls under way, top up, or lower max_tokens."
      : "Top up, or lower max_tokens.";
    const error = new InsufficientBalanceError(
      `The available balance does not cover the most that this call may cost: ${amount} USD are needed${available ?? ""}. ${advice}`,
      { amount },
    );
    return Object.assign(error, { funds, isCoveredLater });
  }
}
