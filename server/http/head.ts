import type { RequestHandler } from "express";

/** Answers HEAD as GET is answered. Node has noted the method by now, and sends no body of what is written. */
export const answerHead: RequestHandler = (req, _res, next) => {
  if (req.method === "HEAD") req.method = "GET";
  next();
};
