import { pino } from "pino";
import { expect, test } from "vitest";
import { runProgram } from "../testing/program.ts";
import { createBodyJudge, type JudgedRequest, type Judgement } from "./body-judge.ts";

const PIECES = [Buffer.from('{"a":'), Buffer.from("1}")];
const STAYING = new AbortController().signal;
const logger = pino({ level: "silent" });
const requestOf = (account: string): JudgedRequest => ({
  ...{ documentedPath: "/notes", method: "POST", originalUrl: "/notes", headers: {} },
  account,
});

/** A judge whose thread is this program; `worker` is its port. */
function judgeOf(program: string) {
  const text = `import { parentPort as worker } from "node:worker_threads"; ${program}`;
  const judge = createBodyJudge(new URL(`data:text/javascript,${encodeURIComponent(text)}`), logger);
  return (account = "a", gone = STAYING): Promise<Judgement> =>
    judge.judge(requestOf(account), { pieces: PIECES, lengthBytes: 7, values: 1 }, gone);
}

test("the thread gets the bytes of all pieces, which stay where they are", async () => {
  const judge = judgeOf(`
    worker.on("message", ({ bytes }) => {
      worker.postMessage({ kind: "unreadable", message: Buffer.from(bytes).toString() });
    });`);
  expect(await judge()).toEqual({ kind: "unreadable", message: '{"a":1}' });
  expect(Buffer.concat(PIECES).toString()).toBe('{"a":1}');
});

test("when the thread ends, its body may come again, and the next has a new one", async () => {
  const judge = judgeOf(`
    worker.on("message", ({ request }) => {
      if (request.account === "fatal") process.exit(1);
      worker.postMessage(request.account === "odd" ? "no sense" : { kind: "fits", extract: { json: 1 } });
    });`);
  const asked = [judge(), judge("fatal"), judge("odd"), judge()];
  expect(await Promise.allSettled(asked)).toEqual([
    { status: "fulfilled", value: { kind: "fits", extract: { json: 1 } } },
    { status: "rejected", reason: expect.objectContaining({ code: "service_busy" }) },
    { status: "rejected", reason: expect.objectContaining({ message: expect.stringContaining("no sense") }) },
    { status: "fulfilled", value: { kind: "fits", extract: { json: 1 } } },
  ]);
});

test("accounts go by turns, one body at a time, and who has gone is not waited for", async () => {
  const judge = judgeOf(`
    let count = 0;
    worker.on("message", () => worker.postMessage({ kind: "unreadable", message: String(++count) }));`);
  const order: string[] = [];
  const leaving = new AbortController();
  const note = (name: string, judged: Promise<Judgement>) => judged.then(() => void order.push(name));
  const asked = [
    note("first", judge("first")),
    note("a1", judge("a")),
    note("a2", judge("a")),
    expect(judge("gone", leaving.signal)).rejects.toThrow("left"),
    note("a3", judge("a")),
    note("b1", judge("b")),
    note("b2", judge("b")),
    note("c1", judge("c")),
  ];
  leaving.abort(new Error("left"));
  await Promise.all(asked);
  expect(order).toEqual(["first", "a1", "b1", "c1", "a2", "b2", "a3"]);
  await expect(judge("late", leaving.signal)).rejects.toThrow("left");
  expect(await judge()).toEqual({ kind: "unreadable", message: "8" });
});

test("a process that has a thread ends when it has nothing else to do", async () => {
  const thread = `
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", () => parentPort.postMessage({ kind: "unreadable", message: "no" }));`;
  const url = `data:text/javascript,${encodeURIComponent(thread)}`;
  const program = `
    import { createBodyJudge } from ${JSON.stringify(import.meta.resolve("./body-judge.ts"))};
    const judge = createBodyJudge(new URL(${JSON.stringify(url)}), console);
    const waiting = setInterval(() => {}, 1_000);
    const body = { pieces: [Buffer.from("{}")], lengthBytes: 2, values: 1 };
    console.log((await judge.judge({ account: "a" }, body, new AbortController().signal)).message);
    clearInterval(waiting);`;
  const ended = await runProgram(process.execPath, ["--input-type=module", "-e", program]);
  expect(ended).toMatchObject({ exitCode: 0, stdout: "no\n" });
});
