import express from "express";
import { listen } from "../../../server/http/listen.ts";
import { serveQuestions } from "../child-process.ts";

/** The floor of `catalog`: bare Express that sends bytes which it has at hand. */
await serveQuestions(async ({ body }: { body: string }) => {
  const bytes = Buffer.from(body);
  const app = express();
  app.get("/products", (_req, res) => {
    res.setHeader("Content-Type", "application/json");
    res.setHeader("Content-Length", bytes.length);
    res.end(bytes);
  });
  const { url } = await listen(app, { host: "127.0.0.1", port: 0 });
  return { ready: url, answer: async () => null };
});
