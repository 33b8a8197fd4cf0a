import { type PlantedEdit, removeField } from "../../planted-edit.ts";

export const plantedEdit: PlantedEdit = {
  edit({ components: { schemas }, paths }) {
    removeField(schemas, "Key", "spentToday");
    delete paths["/security/totp"];
  },
  errors: [
    ["an operation that goes and leaves its handler", "server/[a-z/-]+[.]ts", "beginTotp"],
    ["a field of the account center that goes", "server/[a-z/-]+[.]ts", "'spentToday' does not exist"],
  ],
};
