import type { Particulars } from "../../interface-under-test.ts";
import { callSequence } from "./call-sequence.ts";
import { dreddRequests } from "./dredd-requests.ts";
import { fieldCases } from "./field-cases.ts";
import { FUZZ_DATA } from "./fuzz-data.ts";
import { plantedEdit } from "./planted-edit.ts";
import { raw } from "./raw.ts";

export default {
  dreddRequests,
  fuzz: { ...FUZZ_DATA, sequence: callSequence },
  fieldCases,
  raw,
  plantedEdit,
  ignoredInputs: {
    "getModel query beta": "vendor SDKs send it with every request, and the model is the service's own",
    "listModels query beta": "vendor SDKs send it with every request, and the list is the service's own",
  },
} satisfies Particulars;
