import { type PlantedEdit, removeField } from "../../planted-edit.ts";

export const plantedEdit: PlantedEdit = {
  edit({ components: { schemas }, paths }) {
    removeField(schemas, "Session", "mayAct");
    delete paths["/operators"];
  },
  errors: [
    ["an operation that goes and leaves its handler", "server/[a-z/-]+[.]ts", "listOperators"],
    ["a field of the console that goes", "server/[a-z/-]+[.]ts", "'mayAct' does not exist"],
  ],
};
