// A thread: judges the bodies of message requests that hold many values.
import { judgeBodies } from "../../http/judge-bodies.ts";
import { extractOf } from "../../messages/request-extract.ts";
import { readDocument } from "../read-document.ts";

judgeBodies(readDocument("proxy"), extractOf);
