import type { Particulars } from "../../interface-under-test.ts";
import { dreddRequests } from "./dredd-requests.ts";
import { fieldCases } from "./field-cases.ts";
import { FUZZ_DATA } from "./fuzz-data.ts";
import { plantedEdit } from "./planted-edit.ts";

export default { dreddRequests, fuzz: FUZZ_DATA, fieldCases, plantedEdit } satisfies Particulars;
