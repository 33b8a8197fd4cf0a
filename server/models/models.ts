import { LRUCache } from "lru-cache";
import type { Operation } from "../actions/action.ts";
import { recordedChange } from "../actions/record-action.ts";
import type { Clock } from "../clock.ts";
import { batchedRead, paddedToPowerOfTwo } from "../database/batched-read.ts";
import type { Database } from "../database/database.ts";
import { type Transaction, transaction } from "../database/transaction.ts";
import { InvalidInputError, NotFoundError } from "../errors.ts";
import { checkModel, isModelId, type Model, type ModelSettings } from "./model.ts";
import { disableModel, findModels, listModels, lockModel, upsertModel } from "./model-store.ts";

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
  const aliases = createAliases(database);

  function forgetRecent(): void {
    recent.clear();
    aliases.forget();
  }

  async function findNamed(modelId: string): Promise<Model | null> {
    if (!isModelId(modelId)) return null;
    const model = await find(modelId);
    if (model !== null) return model;
    const named = await aliases.modelIdOf(modelId);
    return named === null ? null : find(named);
  }

  async function get(modelId: string): Promise<Model> {
    const model = isModelId(modelId) ? await find(modelId) : null;
    if (model === null) throw new NotFoundError("model", modelId);
    return model;
  }

  return {
    /**
     * Adds a model, or sets everything of it anew; enabled in either case. Calls under way keep their prices.
     * @throws {InvalidInputError} something is not acceptable, or an alias names another model.
     */
    async set(settings: ModelSettings): Promise<Model> {
      checkModel(settings);
      refuseTakenAliases(settings, await listModels(database));
      await changed(database, settings.modelId, "setModel", async (tx) => {
        await upsertModel(tx, { ...settings, enabled: true, createdAtMs: clock() });
        return true;
      });
      forgetRecent();
      return get(settings.modelId);
    },

    /** No call may name it from now on; those under way go on. @throws {NotFoundError} */
    async disable(modelId: string): Promise<Model> {
      const isFound =
        isModelId(modelId) &&
        (await changed(database, modelId, "disableModel", (tx) => disableModel(tx, modelId)));
      if (!isFound) throw new NotFoundError("model", modelId);
      forgetRecent();
      return get(modelId);
    },

    /** All models by their ids. */
    list: (): Promise<Model[]> => listModels(database),

    /** The models that calls may name, by their ids. */
    async offered(): Promise<Model[]> {
      return (await listModels(database)).filter(({ enabled }) => enabled);
    },

    /**
     * A model that calls may name by this id or alias, as it was at most half a second ago; null when there is none. An id
     * goes before the alias of another.
     */
    async findOffered(modelId: string): Promise<Model | null> {
      const known = recent.get(modelId);
      if (known !== undefined) return known;
      const model = await findNamed(modelId);
      if (!model?.enabled) return null;
      recent.set(modelId, model);
      return model;
    },
  };
}

/** Changes a model, and records what an operator has changed of it. @returns what the change says of it. */
function changed(
  database: Database,
  targetId: string,
  operation: Operation,
  change: (tx: Transaction) => Promise<boolean>,
): Promise<boolean> {
  const action = { operation, targetId };
  return transaction(database, (tx) =>
    recordedChange(tx, action, { read: () => lockModel(tx, targetId), change: () => change(tx) }),
  );
}

/** A model for each id, in their order; null for an id of none. */
async function findEach(database: Database, modelIds: readonly string[]): Promise<(Model | null)[]> {
  const found = await findModels(database, paddedToPowerOfTwo([...new Set(modelIds)]));
  const byId = new Map(found.map((model) => [model?.modelId, model]));
  return modelIds.map((modelId) => byId.get(modelId) ?? null);
}

/** Which models have which aliases, as it was at most half a second ago. */
function createAliases(database: Database) {
  const recent = new LRUCache<"all", Promise<ReadonlyMap<string, string>>>(RECENT);
  function read(): Promise<ReadonlyMap<string, string>> {
    const reading = listModels(database).then(idsByAlias);
    recent.set("all", reading);
    reading.catch(() => recent.delete("all"));
    return reading;
  }
  return {
    modelIdOf: async (alias: string) => (await (recent.get("all") ?? read())).get(alias) ?? null,
    forget: () => recent.clear(),
  };
}

function idsByAlias(models: readonly Model[]): ReadonlyMap<string, string> {
  return new Map(
    models.flatMap(({ modelId, facts }) => (facts?.aliases ?? []).map((alias) => [alias, modelId])),
  );
}

/** @throws {InvalidInputError} an alias is the id or an alias of another model. */
function refuseTakenAliases({ modelId, facts }: ModelSettings, models: readonly Model[]): void {
  const others = models.filter((model) => model.modelId !== modelId);
  const taken = new Set(others.flatMap((model) => [model.modelId, ...(model.facts?.aliases ?? [])]));
  const alias = facts?.aliases.find((name) => taken.has(name) || name === modelId);
  if (alias !== undefined) throw new InvalidInputError(`The alias ${alias} names a model already.`);
}
