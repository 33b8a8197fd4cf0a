import { placeholders, type Session } from "../database/database.ts";
import type { Transaction } from "../database/transaction.ts";
import { microcents } from "../money/microcents.ts";
import { parseFacts, printFacts } from "./facts.ts";
import type { Model } from "./model.ts";
import { parseFurtherPrices, printFurtherPrices } from "./price-text.ts";

interface ModelRow {
  model_id: string;
  name: string;
  input_price_microcents: bigint;
  output_price_microcents: bigint;
  cache_write_price_microcents: bigint;
  cache_read_price_microcents: bigint;
  further_prices: string | null;
  max_output_tokens: number | null;
  facts: string | null;
  enabled: number;
  created_at_ms: bigint;
}

const COLUMNS =
  "model_id, name, input_price_microcents, output_price_microcents, cache_write_price_microcents, " +
  "cache_read_price_microcents, further_prices, max_output_tokens, facts, enabled, created_at_ms";

/** Adds a model, or sets all but the time of its creation where it is there. */
export async function upsertModel(session: Session, model: Model): Promise<void> {
  const { prices } = model;
  await session.change(
    `INSERT INTO models (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE name = VALUES(name), input_price_microcents = VALUES(input_price_microcents),
       output_price_microcents = VALUES(output_price_microcents),
       cache_write_price_microcents = VALUES(cache_write_price_microcents),
       cache_read_price_microcents = VALUES(cache_read_price_microcents),
       further_prices = VALUES(further_prices), max_output_tokens = VALUES(max_output_tokens),
       facts = VALUES(facts), enabled = VALUES(enabled)`,
    [
      model.modelId,
      model.name,
      prices.inputMicrocents,
      prices.outputMicrocents,
      prices.cacheWriteMicrocents,
      prices.cacheReadMicrocents,
      prices.further === undefined ? null : printFurtherPrices(prices.further),
      model.maxOutputTokens,
      model.facts === undefined ? null : printFacts(model.facts),
      model.enabled,
      model.createdAtMs,
    ],
  );
}

/** Takes a model out of use. @returns whether there is one. */
export async function disableModel(session: Session, modelId: string): Promise<boolean> {
  return (await session.change("UPDATE models SET enabled = 0 WHERE model_id = ?", [modelId])) === 1;
}

/** Locks a model until the transaction ends; null when there is none. */
export async function lockModel(tx: Transaction, modelId: string): Promise<Model | null> {
  const [row] = await tx.rows<ModelRow>(`SELECT ${COLUMNS} FROM models WHERE model_id = ? FOR UPDATE`, [
    modelId,
  ]);
  return row === undefined ? null : toModel(row);
}

/** All models by their ids. */
export async function listModels(session: Session): Promise<Model[]> {
  const rows = await session.rows<ModelRow>(`SELECT ${COLUMNS} FROM models ORDER BY model_id`);
  return rows.map(toModel);
}

/** One model or null per id, in the order of the ids. */
export async function findModels(
  session: Session,
  modelIds: readonly string[],
): Promise<readonly (Model | null)[]> {
  const rows = await session.rows<ModelRow>(
    `SELECT ${COLUMNS} FROM models WHERE model_id IN (${placeholders(modelIds)})`,
    modelIds,
  );
  const found = new Map(rows.map((row) => [row.model_id, toModel(row)]));
  return modelIds.map((modelId) => found.get(modelId) ?? null);
}

function toModel(row: ModelRow): Model {
  return {
    modelId: row.model_id,
    name: row.name,
    prices: {
      inputMicrocents: microcents(row.input_price_microcents),
      outputMicrocents: microcents(row.output_price_microcents),
      cacheWriteMicrocents: microcents(row.cache_write_price_microcents),
      cacheReadMicrocents: microcents(row.cache_read_price_microcents),
      ...(row.further_prices === null ? {} : { further: parseFurtherPrices(row.further_prices) }),
    },
    maxOutputTokens: row.max_output_tokens,
    ...(row.facts === null ? {} : { facts: parseFacts(row.facts) }),
    enabled: row.enabled === 1,
    createdAtMs: Number(row.created_at_ms),
  };
}
