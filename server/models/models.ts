import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import { batchedRead, paddedToPowerOfTwo } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { NotFoundError } from "../errors.ts";
import { checkModel, isModelId, type Model, type ModelSettings } from "./model.ts";
import { disableModel, findModels, listModels, upsertModel } from "./model-store.ts";

// A new price or the end of a model is felt in every process within a second, as the end of a key is.
const RECENT = { max: 1_000, ttl: 500 };

export type Models = ReturnType<typeof createModels>;

/** What models need. */
export interface ModelsDependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** The models that calls may name: what an operator keeps and what a caller reads. */
export function createModels({ database, clock }: ModelsDependencies) {
  const find = batchedRead((modelIds: readonly string[]) => findEach(database, modelIds));
  const recent = new LRUCache<string, Model>(RECENT);

  async function get(modelId: string): Promise<Model> {
    const model = isModelId(modelId) ? await find(modelId) : null;
    if (model === null) throw new NotFoundError("model", modelId);
    return model;
  }

  return {
    /**
     * Adds a model, or sets its name and prices anew; enabled in either case. Calls under way keep their prices.
     * @throws {InvalidInputError}
     */
    async set(settings: ModelSettings): Promise<Model> {
      checkModel(settings);
      await upsertModel(database, { ...settings, enabled: true, createdAtMs: clock() });
      recent.delete(settings.modelId);
      return get(settings.modelId);
    },

    /** No call may name it from now on; those under way go on. @throws {NotFoundError} */
    async disable(modelId: string): Promise<Model> {
      if (!isModelId(modelId) || !(await disableModel(database, modelId))) {
        throw new NotFoundError("model", modelId);
      }
      recent.delete(modelId);
      return get(modelId);
    },

    /** All models by their ids. */
    list: (): Promise<Model[]> => listModels(database),

    /** The models that calls may name, by their ids. */
    async offered(): Promise<Model[]> {
      return (await listModels(database)).filter(({ enabled }) => enabled);
    },

    /** A model that calls may name, as it was at most half a second ago; null when there is none of that id. */
    async findOffered(modelId: string): Promise<Model | null> {
      const known = recent.get(modelId);
      if (known !== undefined) return known;
      const model = isModelId(modelId) ? await find(modelId) : null;
      if (!model?.enabled) return null;
      recent.set(modelId, model);
      return model;
    },
  };
}

/** A model for each id, in their order; null for an id of none. */
async function findEach(database: Database, modelIds: readonly string[]): Promise<(Model | null)[]> {
  const found = await findModels(database, paddedToPowerOfTwo([...new Set(modelIds)]));
  const byId = new Map(found.map((model) => [model?.modelId, model]));
  return modelIds.map((modelId) => byId.get(modelId) ?? null);
}
