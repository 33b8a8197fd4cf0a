import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { operations } from "../../../generated/account/types.ts";
import { Fault } from "./fault.ts";

/** A request that changes something. */
export interface Change<Input, Output> {
  /** Sends it; resolves to null where it failed, which `fault` then tells. */
  readonly send: (input: Input) => Promise<Output | null>;
  readonly isPending: boolean;
  /** Why the last one failed; null when it did not. */
  readonly fault: Fault | null;
  readonly reset: () => void;
}

/**
 * Sends a change, and has all that it touches read anew.
 * @param touches the operations whose answers it changes
 */
export function useChange<Input, Output>(
  send: (input: Input) => Promise<Output>,
  touches: readonly (keyof operations)[] = [],
): Change<Input, Output> {
  const queries = useQueryClient();
  const { mutateAsync, isPending, error, reset } = useMutation({
    mutationFn: send,
    onSettled: () => {
      for (const operationId of touches) void queries.invalidateQueries({ queryKey: [operationId] });
    },
  });
  return {
    send: (input) => mutateAsync(input).catch(() => null),
    isPending,
    fault: error === null ? null : faultOf(error),
    reset,
  };
}

/** Whatever was thrown, as a fault that a person can be told. */
export function faultOf(error: unknown): Fault {
  return error instanceof Fault ? error : new Fault("unreadable_answer");
}
