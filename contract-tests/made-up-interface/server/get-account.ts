import { operation } from "./operation.ts";

export const getAccount = operation("getAccount", async ({ principal }) => ({ name: principal.name }));
