import type { Particulars } from "../../interface-under-test.ts";
import { dreddRequests } from "./dredd-requests.ts";
import { FUZZ_DATA } from "./fuzz-data.ts";
import { orderSequence } from "./order-sequence.ts";
import { plantedEdit } from "./planted-edit.ts";
import { raw } from "./raw.ts";

export default {
  dreddRequests,
  fuzz: { ...FUZZ_DATA, sequence: orderSequence },
  raw,
  plantedEdit,
} satisfies Particulars;
