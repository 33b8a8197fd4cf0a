import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from "vitest";
import { compose } from "../compose.ts";
import { closeDatabase } from "../database/database.ts";
import { ContentionError } from "../database/faults.ts";
import { createMessageBreakpoint } from "../testing/faults/message-breakpoint.ts";
import { openTestServices, type TestServices, testConfig, usd } from "../testing/test-shop.ts";
import { actAs } from "./acting.ts";
import type { OperatorActor } from "./action.ts";
import { checkChain, type NotedEnd } from "./check-chain.ts";
import { hashAction } from "./hash-action.ts";

const ADA: OperatorActor = { kind: "operator", id: `usr_${"a".repeat(32)}`, name: "ada@shop.example" };
const BOB: OperatorActor = { kind: "command_line", id: null, name: "bob@desk" };

let services: TestServices;
beforeAll(async () => {
  services = await openTestServices();
});
// Ends with the audit.
afterAll(() => services.dispose());

const as = <T>(by: OperatorActor, work: () => Promise<T>, clock = Date.now): Promise<T> =>
  actAs({ by, requestId: "request-1", clock }, work);

/** Products that an operator makes, each an action. */
async function record(count: number, by = ADA, clock = Date.now): Promise<void> {
  for (let made = 0; made < count; made += 1)
    await as(by, () => services.accounts.create({ name: `By ${by.name}` }), clock);
}

async function faults(noted: NotedEnd | null = null) {
  const { faults: found } = await checkChain(services.database, { noted, maxFaults: 10 });
  return found.map(({ sequence, fault }) => `${sequence} ${fault}`);
}

async function end(): Promise<NotedEnd> {
  return (await checkChain(services.database, { noted: null, maxFaults: 1 })).end;
}

/** On a busy machine others may be in the way for longer than anybody waits; then a person tries again. */
async function untilUncontended(act: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await act();
      return;
    } catch (error) {
      if (!(error instanceof ContentionError)) throw error;
    }
  }
}

test("an action is hashed by the hash of the one before it and all that is kept of it", () => {
  const action = {
    sequence: 7n,
    createdAtMs: 1_780_000_000_000,
    actor: ADA,
    operation: "adjustBalance",
    targetKind: "account",
    targetId: "acc_1",
    before: null,
    after: '{"amount":"-3.25"}',
    reason: "charged “twice”",
    requestId: "r",
  };
  // By another program: printf '%064d\n%s' 0 '["7","1780000000000",…]' | sha256sum
  expect(hashAction(Buffer.alloc(32), action).toString("hex")).toBe(
    "8e162ba07eeb1c72b93cd07080c280377de27a4266fc121b001389cb0791b065",
  );
  const others = Object.keys(action).map((name) =>
    hashAction(Buffer.alloc(32), { ...action, [name]: name === "actor" ? BOB : "9" } as never).toString(
      "hex",
    ),
  );
  expect(new Set([...others, hashAction(Buffer.alloc(32, 1), action).toString("hex")]).size).toBe(11);
});

test("operators who act at the same time, in several processes, make one chain with every act in it once", async () => {
  const processes = [services, ...[1, 2].map(() => compose(testConfig(services.databaseUrl)))];
  onTestFinished(async () => {
    for (const { database } of processes.slice(1)) await closeDatabase(database);
  });
  const accountId = await services.addAccount("1000");
  const from = (await end()).sequence;
  // Two people at each process, who act ten times, one after the other.
  const people = processes.flatMap((one) => [ADA, BOB].map((by) => ({ by, ledger: one.ledger })));
  const references: string[] = [];
  await Promise.all(
    people.map(async ({ by, ledger }, person) => {
      for (let act = 0; act < 10; act += 1) {
        const reference = `racing-${person}-${act}`;
        references.push(reference);
        const booking = { accountId, amountMicrocents: usd("0.01"), reference };
        await untilUncontended(() => as(by, () => ledger.topUp(booking)));
      }
    }),
  );
  expect(await faults()).toEqual([]);
  expect((await end()).sequence).toBe(from + 60n);
  const { actions } = await services.actions.page({ limit: 1_000, targetId: accountId });
  const recorded = actions.map(({ after }) => JSON.parse(after ?? "").reference);
  expect(recorded.toSorted()).toEqual(references.toSorted());
});

test("the same person's work at the same time is told apart", async () => {
  const [one, other] = await Promise.all(
    [ADA, BOB].map((by) => as(by, () => services.accounts.create({ name: by.name }))),
  );
  for (const [by, account] of [
    [ADA, one],
    [BOB, other],
  ] as const) {
    const { actions } = await services.actions.page({ limit: 2, targetId: account?.accountId });
    expect(actions).toMatchObject([{ actor: by }]);
  }
});

test("a process that dies at any step of an act leaves the effect with its action, or neither", async () => {
  const open = async () => {
    const breakpoint = createMessageBreakpoint();
    const url = await breakpoint.before(services.databaseTcpUrl);
    const { database, products } = compose(testConfig(url, { databasePoolSize: 1 }));
    onTestFinished(async () => {
      breakpoint.close();
      await closeDatabase(database);
    });
    return { breakpoint, products };
  };
  const counted = await open();
  const { productId: first } = await services.addProduct({ codes: 0 });
  await as(ADA, () => counted.products.setEnabled(first, false));
  const steps = counted.breakpoint.count();
  const ends = new Set<string>();
  for (let step = 1; step <= steps; step += 1) {
    const { productId } = await services.addProduct({ codes: 0 });
    const { breakpoint, products } = await open();
    breakpoint.fireAt(step, breakpoint.shut);
    await expect(as(ADA, () => products.setEnabled(productId, false))).rejects.toThrow();
    const { enabled } = await services.products.get(productId);
    const { actions } = await services.actions.page({ limit: 2, targetId: productId });
    expect(actions.map(({ operation }) => operation)).toEqual(enabled ? [] : ["disableProduct"]);
    ends.add(enabled ? "neither" : "both");
  }
  expect([...ends].toSorted()).toEqual(["both", "neither"]);
  expect(await faults()).toEqual([]);
});

describe("the audit finds", () => {
  let noted: NotedEnd;
  beforeEach(async () => {
    await record(5);
    noted = await end();
    const { change } = services.database;
    for (const table of ["operator_actions", "operator_action_head"])
      await change(`CREATE TABLE ${table}_saved AS SELECT * FROM ${table}`);
    onTestFinished(async () => {
      for (const table of ["operator_actions", "operator_action_head"]) {
        await change(`DELETE FROM ${table}`);
        await change(`INSERT INTO ${table} SELECT * FROM ${table}_saved`);
        await change(`DROP TABLE ${table}_saved`);
      }
    });
  });

  const change = (sql: string, ...parameters: (bigint | string)[]) =>
    services.database.change(sql, parameters);

  it.each([
    ["created_at_ms", "created_at_ms + 1"],
    ["actor_kind", "'system'"],
    ["actor_id", "NULL"],
    ["actor_name", "'bob@shop.example'"],
    ["operation", "'refundOrder'"],
    ["target_kind", "'order'"],
    ["target_id", "'acc_other'"],
    ["state_before", "'{}'"],
    ["state_after", "'{}'"],
    ["reason", "'because'"],
    ["request_id", "'another'"],
    ["hash", "UNHEX(SHA2('x', 256))"],
  ])("a changed %s", async (column, value) => {
    const sequence = noted.sequence - 2n;
    await change(`UPDATE operator_actions SET ${column} = ${value} WHERE sequence = ?`, sequence);
    expect((await faults())[0]).toBe(`${sequence} changed`);
  });

  it("an action that was changed together with its hash", async () => {
    const sequence = noted.sequence - 2n;
    const { actions } = await services.actions.page({ limit: 3 });
    const action = actions.find((one) => one.sequence === sequence) as (typeof actions)[0] & {
      previousHash: Buffer;
    };
    const hash = hashAction(action.previousHash, { ...action, reason: "because" }).toString("hex");
    await change(
      "UPDATE operator_actions SET reason = 'because', hash = UNHEX(?) WHERE sequence = ?",
      hash,
      sequence,
    );
    expect(await faults()).toEqual([`${sequence + 1n} not_after_the_one_before`]);
  });

  it("an action that was removed", async () => {
    await change("DELETE FROM operator_actions WHERE sequence = ?", noted.sequence - 2n);
    expect(await faults()).toEqual([`${noted.sequence - 2n} missing`]);
  });

  it("two that changed their places", async () => {
    const [a, b] = [noted.sequence - 2n, noted.sequence - 1n];
    for (const [from, to] of [
      [a, -1n],
      [b, a],
      [-1n, b],
    ] as const)
      await change("UPDATE operator_actions SET sequence = ? WHERE sequence = ?", to, from);
    expect((await faults())[0]).toBe(`${a} not_after_the_one_before`);
  });

  it("one that was put between others", async () => {
    const at = noted.sequence - 1n;
    await change(
      "UPDATE operator_actions SET sequence = sequence + 1 WHERE sequence >= ? ORDER BY sequence DESC",
      at,
    );
    await change(
      `INSERT INTO operator_actions SELECT ?, created_at_ms, actor_kind, actor_id, actor_name, operation, target_kind,
         target_id, state_before, state_after, reason, request_id, previous_hash, hash
       FROM operator_actions_saved WHERE sequence = ?`,
      at,
      1n,
    );
    expect((await faults())[0]).toBe(`${at} not_after_the_one_before`);
  });

  it("one that was added behind the end, and nothing is recorded any more", async () => {
    await change(
      `INSERT INTO operator_actions SELECT ?, created_at_ms, actor_kind, actor_id, actor_name, operation, target_kind,
         target_id, state_before, state_after, reason, request_id, previous_hash, hash
       FROM operator_actions_saved WHERE sequence = ?`,
      noted.sequence + 1n,
      noted.sequence,
    );
    expect(await faults()).toEqual([`${noted.sequence + 1n} beyond_the_end`]);
    await expect(record(1)).rejects.toMatchObject({ code: "action_chain_broken" });
  });

  it("an end that was cut off", async () => {
    await change("DELETE FROM operator_actions WHERE sequence >= ?", noted.sequence - 1n);
    expect(await faults()).toEqual([`${noted.sequence - 1n} missing`]);
  });

  it("a head that is gone, and nothing is recorded any more", async () => {
    await change("DELETE FROM operator_action_head");
    expect((await faults())[0]).toBe("1 beyond_the_end");
    await expect(record(1)).rejects.toMatchObject({ code: "action_chain_broken" });
  });

  it("an end that was cut off with its head, by what was noted", async () => {
    await change("DELETE FROM operator_actions WHERE sequence = ?", noted.sequence);
    await change(
      `UPDATE operator_action_head SET sequence = ?,
         hash = (SELECT previous_hash FROM operator_actions_saved WHERE sequence = ?)`,
      noted.sequence - 1n,
      noted.sequence,
    );
    expect(await faults()).toEqual([]);
    expect(await faults(noted)).toEqual([`${noted.sequence} not_the_noted_one`]);
    // Also when others have come in its place since.
    await record(2, BOB);
    expect(await faults()).toEqual([]);
    expect(await faults(noted)).toEqual([`${noted.sequence} not_the_noted_one`]);
  });

  it("nothing in what goes on after the noted end", async () => {
    await record(2);
    expect(await faults(noted)).toEqual([]);
    const { checks, ok } = await services.audit.run(noted);
    expect(checks.at(-1)).toEqual({ name: "operator_actions_are_one_chain", ok: true, rows: [] });
    expect(ok).toBe(true);
  });
});

test("a clock that goes back does not make an action older than the one before it", async () => {
  await record(1);
  await record(1, ADA, () => 1_000);
  const [last, before] = (await services.actions.page({ limit: 2 })).actions;
  expect(last?.createdAtMs).toBe(before?.createdAtMs);
});

test("pages go on where the one before ended, also while more are added", async () => {
  const { accountId } = await as(BOB, () => services.accounts.create({ name: "Paged" }));
  for (const name of ["suspend", "resume", "suspend"] as const)
    await as(BOB, () => services.accounts[name](accountId));
  const only = { targetKind: "account", targetId: accountId, actor: BOB.name };
  const first = await services.actions.page({ ...only, limit: 3 });
  await as(BOB, () => services.accounts.resume(accountId));
  const second = await services.actions.page({ ...only, limit: 3, cursor: first.nextCursor ?? "" });
  expect([...first.actions, ...second.actions].map(({ operation }) => operation)).toEqual([
    ...["suspendAccount", "resumeAccount", "suspendAccount", "createAccount"],
  ]);
  expect(second.nextCursor).toBeNull();
  expect(
    (await services.actions.page({ limit: 9, ...only, operation: "resumeAccount" })).actions,
  ).toHaveLength(2);
  expect(
    (await services.actions.page({ limit: 9, actor: ADA.id ?? "", targetId: accountId })).actions,
  ).toEqual([]);
  await as(ADA, () => services.accounts.suspend(accountId));
  for (const actor of [ADA.id ?? "", ADA.name])
    expect((await services.actions.page({ limit: 9, actor, targetId: accountId })).actions).toMatchObject([
      { operation: "suspendAccount", actor: ADA },
    ]);
  const times = first.actions.map(({ createdAtMs }) => createdAtMs);
  const [newest = 0, oldest = 0] = [Math.max(...times), Math.min(...times)];
  const within = await services.actions.page({ ...only, limit: 9, fromMs: oldest, toMs: newest });
  expect(within.actions.every(({ createdAtMs }) => createdAtMs >= oldest && createdAtMs < newest)).toBe(true);
  expect((await services.actions.page({ ...only, limit: 9, fromMs: newest + 1e9 })).actions).toEqual([]);
  await expect(services.actions.page({ limit: 1, cursor: "opa_x" })).rejects.toThrow("The cursor is none");
});

test("texts that the database could not give back as they are keep their hash", async () => {
  const odd = "\uD800 lone, 😀, \0 and trailing  ";
  const accountId = await services.addAccount("10");
  const booking = {
    accountId,
    amountMicrocents: usd("0.01"),
    reference: "odd",
    note: odd.toWellFormed(),
  };
  await as({ ...ADA, name: odd.repeat(100) }, () => services.ledger.adjust(booking));
  expect(await faults()).toEqual([]);
});
