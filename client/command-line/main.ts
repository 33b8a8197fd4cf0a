// `npm run -s buyer -- COMMAND …`: the buyer's command line.
import { runBuyer } from "./buyer.ts";

const interrupted = new AbortController();
const { env, stdout, stderr } = process;
process.once("SIGINT", () => interrupted.abort());
process.once("SIGTERM", () => interrupted.abort());

process.exitCode = await runBuyer(process.argv.slice(2), { env, stdout, stderr, signal: interrupted.signal });
