import { NotFoundError } from "../../errors.ts";
import { toApiModel } from "./convert-models.ts";
import { operation } from "./operation.ts";

export const getModel = operation("getModel", async ({ path: { model_id: modelId } }, { models }) => {
  const model = await models.findOffered(modelId);
  if (model === null) throw new NotFoundError("model", modelId);
  return toApiModel(model);
});
