import type { components } from "../../../generated/proxy/types.ts";
import { NO_FACTS } from "../../models/facts.ts";
import type { Model } from "../../models/model.ts";
import type { ModelPage } from "../../models/model-page.ts";

type Schemas = components["schemas"];

export function toApiModelList({ models, hasMore }: ModelPage): Schemas["ModelList"] {
  return {
    data: models.map(toApiModel),
    has_more: hasMore,
    first_id: models.at(0)?.modelId ?? null,
    last_id: models.at(-1)?.modelId ?? null,
  };
}

export function toApiModel({
  modelId,
  name,
  createdAtMs,
  maxOutputTokens,
  facts = NO_FACTS,
}: Model): Schemas["Model"] {
  const { lifecycle, maxInputTokens, capabilities } = facts;
  return {
    type: "model",
    id: modelId,
    display_name: name,
    created_at: new Date(createdAtMs).toISOString(),
    lifecycle,
    max_input_tokens: maxInputTokens,
    max_tokens: maxOutputTokens,
    // Batches are not offered here, whatever the model can do at its vendor.
    capabilities: capabilities === null ? null : { ...capabilities, batch: { supported: false } },
  };
}
