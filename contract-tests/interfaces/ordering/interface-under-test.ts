import type { Particulars } from "../../interface-under-test.ts";
import { dreddRequests } from "./dredd-requests.ts";
import { fieldCases } from "./field-cases.ts";
import { FUZZ_DATA } from "./fuzz-data.ts";
import { orderSequence } from "./order-sequence.ts";
import { plantedEdit } from "./planted-edit.ts";
import { raw } from "./raw.ts";

export default {
  dreddRequests,
  fuzz: { ...FUZZ_DATA, sequence: orderSequence },
  fieldCases,
  raw,
  plantedEdit,
} satisfies Particulars;
