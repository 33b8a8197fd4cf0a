import express from "express";
import mysql, { type RowDataPacket } from "mysql2/promise";
import { listen } from "../../../server/http/listen.ts";
import { serveQuestions } from "../child-process.ts";

/** What the floor works on. */
export interface ReplayFloorSetting {
  readonly databaseUrl: string;
  readonly connections: number;
}

const FIND_ORDER = "SELECT * FROM orders WHERE account_id = ? AND external_order_id = ?";

/** The floor of `replay`: bare Express that answers with one row, found by a prepared SELECT on a unique key. */
await serveQuestions(async ({ databaseUrl, connections }: ReplayFloorSetting) => {
  const pool = mysql.createPool({ uri: databaseUrl, connectionLimit: connections });
  const app = express();
  app.get("/orders/:accountId/:externalOrderId", async (req, res) => {
    const { accountId, externalOrderId } = req.params;
    const [rows] = await pool.execute<RowDataPacket[]>(FIND_ORDER, [accountId, Buffer.from(externalOrderId)]);
    res.status(rows.length === 1 ? 200 : 404).json(rows[0]);
  });
  const { url } = await listen(app, { host: "127.0.0.1", port: 0 });
  return { ready: url, answer: async () => null };
});
