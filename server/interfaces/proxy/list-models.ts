import { withDefault } from "../../http/operation.ts";
import { pageOfModels } from "../../models/model-page.ts";
import { toApiModelList } from "./convert-models.ts";
import { operation } from "./operation.ts";

export const listModels = operation("listModels", async ({ query }, { models }) =>
  toApiModelList(
    pageOfModels(await models.offered(), {
      limit: withDefault(query.limit),
      afterId: query.after_id,
      beforeId: query.before_id,
    }),
  ),
);
