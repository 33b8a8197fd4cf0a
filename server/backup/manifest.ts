import { z } from "zod";

/** What a backup's folder holds beside its manifest: gzip of one JSON value a line, see {@link Manifest}. */
export const DATA_FILE = "data.ndjson.gz";
/** Written last: a folder without it is no whole backup. */
export const MANIFEST_FILE = "manifest.json";

/**
 * What a backup says of itself. Its data are, for each table, a line with the table's name and columns, and then a line for
 * each row: an array of its values, where 64-bit integers are decimal digits and bytes base64.
 */
export const manifestSchema = z.object({
  format: z.literal("prepaid-code-shop-backup"),
  formatVersion: z.literal(1),
  /** When the snapshot was taken, or a moment before: what was committed later is not in it. */
  takenAt: z.iso.datetime(),
  /** The version of the database server. */
  server: z.string(),
  /** The migrations that were in force, in their order. */
  migrations: z.array(z.string()).min(1),
  /** How many rows each table has. */
  rows: z.record(z.string(), z.int().nonnegative()),
  data: z.object({ bytes: z.int().nonnegative(), sha256: z.string().length(64) }),
});

export type Manifest = z.infer<typeof manifestSchema>;

/** How a column's values are written. */
export const columnSchema = z.object({
  name: z.string(),
  kind: z.enum(["integer64", "bytes", "plain"]),
});

/** The line before the rows of a table. */
export const tableSchema = z.object({ table: z.string(), columns: z.array(columnSchema).min(1) });

export type Column = z.infer<typeof columnSchema>;
export type TableHeader = z.infer<typeof tableSchema>;
