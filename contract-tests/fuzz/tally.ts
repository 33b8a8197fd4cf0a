/** Counts what was sent and what came back. */
export interface Tally {
  /** @param operation with its interface, such as `ordering createOrder` */
  count(kind: string, operation: string, status: number): void;
  readonly total: number;
  /** One line for each kind of request, then one for each operation with its statuses. */
  describe(): string;
}

export function createTally(): Tally {
  const kinds = new Map<string, number>();
  const operations = new Map<string, Map<number, number>>();
  let total = 0;
  return {
    count(kind, operation, status) {
      total += 1;
      add(kinds, kind);
      const statuses = operations.get(operation) ?? new Map<number, number>();
      operations.set(operation, statuses);
      add(statuses, status);
    },
    get total() {
      return total;
    },
    describe() {
      const byKind = sorted(kinds).map(([kind, count]) => `${count} ${kind}`);
      const width = Math.max(0, ...[...operations.keys()].map((name) => name.length));
      const byOperation = sorted(operations).map(([name, statuses]) => {
        const counts = sorted(statuses).map(([status, count]) => `${status}: ${count}`);
        return `  ${name.padEnd(width)}  ${counts.join("  ")}`;
      });
      return [`${total} requests: ${byKind.join(", ")}`, ...byOperation].join("\n");
    },
  };
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sorted<Key extends string | number, Value>(map: ReadonlyMap<Key, Value>): [Key, Value][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
