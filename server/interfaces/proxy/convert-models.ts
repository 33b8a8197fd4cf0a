import type { components } from "../../../generated/proxy/types.ts";
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

function toApiModel({ modelId, name, createdAtMs }: Model): Schemas["Model"] {
  return {
    type: "model",
    id: modelId,
    display_name: name,
    created_at: new Date(createdAtMs).toISOString(),
  };
}
