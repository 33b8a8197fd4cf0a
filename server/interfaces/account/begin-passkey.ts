import { operation } from "./operation.ts";

export const beginPasskey = operation("beginPasskey", async ({ principal: { signedIn } }, { people }) => {
  people.sessions.requireRecentFactor(signedIn);
  const { excludedCredentials, algorithms, ...creation } = await people.passkeys.beginAdding(
    signedIn.session,
  );
  return { ...creation, excludedCredentials: [...excludedCredentials], algorithms: [...algorithms] };
});
