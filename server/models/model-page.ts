import { InvalidInputError } from "../errors.ts";
import type { Model } from "./model.ts";

/** Some of the models, the newest first. */
export interface ModelPage {
  readonly models: readonly Model[];
  /** Whether there are more in the direction that was asked for. */
  readonly hasMore: boolean;
}

/** Which models to show: those next to a model, or the newest. */
interface PageRequest {
  readonly limit: number;
  readonly afterId?: string | undefined;
  readonly beforeId?: string | undefined;
}

/** A page of models. @throws {InvalidInputError} both ids are given, or one that no model bears. */
export function pageOfModels(models: readonly Model[], { limit, afterId, beforeId }: PageRequest): ModelPage {
  if (afterId !== undefined && beforeId !== undefined) {
    throw new InvalidInputError("Give after_id or before_id, not both.");
  }
  const newestFirst = models.toSorted(
    (a, b) => b.createdAtMs - a.createdAtMs || (a.modelId < b.modelId ? -1 : 1),
  );
  if (beforeId !== undefined) {
    const end = positionOf(beforeId, newestFirst);
    const start = Math.max(0, end - limit);
    return { models: newestFirst.slice(start, end), hasMore: start > 0 };
  }
  const start = afterId === undefined ? 0 : positionOf(afterId, newestFirst) + 1;
  return { models: newestFirst.slice(start, start + limit), hasMore: start + limit < newestFirst.length };
}

function positionOf(modelId: string, models: readonly Model[]): number {
  const position = models.findIndex((model) => model.modelId === modelId);
  if (position === -1) throw new InvalidInputError("after_id or before_id names no model that is available.");
  return position;
}
