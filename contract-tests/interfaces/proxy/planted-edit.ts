import { type PlantedEdit, removeField } from "../../planted-edit.ts";

export const plantedEdit: PlantedEdit = {
  edit({ components: { schemas }, paths }) {
    removeField(schemas, "Account", "rpm_limit");
    delete paths["/v1/ledger"];
  },
  errors: [
    ["an operation that goes and leaves its handler", "server/[a-z/-]+[.]ts", "listLedger"],
    ["a field of the AI proxy that goes", "server/[a-z/-]+[.]ts", "'rpm_limit' does not exist"],
  ],
};
