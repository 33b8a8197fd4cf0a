import { keyName } from "../../fuzz/callers.ts";
import { ANSWERS_BY_CODE, type RawTarget } from "../../fuzz/raw-target.ts";
import { PLENTY } from "./fuzz-data.ts";

/** Orders of one code on a socket. */
export const raw: RawTarget = {
  readPath: "/shop/v1/balance",
  credential: keyName("product_ordering"),
  admission: { header: "Authorization", prefix: "Bearer " },
  write: {
    path: "/shop/v1/orders",
    headers: "",
    numberField: "qty",
    limitBytes: 64 * 1024,
    passesBodiesOn: false,
    fields: (count) => `"externalOrderId":"raw-${count}","productId":"${PLENTY}"`,
  },
  answers: ANSWERS_BY_CODE,
};
