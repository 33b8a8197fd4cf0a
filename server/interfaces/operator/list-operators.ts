import { operation } from "./operation.ts";

export const listOperators = operation("listOperators", async (_request, { people }) => ({
  operators: (await people.list()).map(({ userId, email, name, role, hasSecondFactor }) => ({
    userId,
    email,
    name,
    role,
    hasSecondFactor,
  })),
}));
