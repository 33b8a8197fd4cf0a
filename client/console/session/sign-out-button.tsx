import { askOnce, client } from "../api/client.ts";
import { Fault } from "../api/fault.ts";
import { useChange } from "../api/use-change.ts";
import { Button } from "../ui/button.tsx";
import { FaultNote } from "../ui/states.tsx";

/** Ends the session, and loads the page anew: all that was read in it goes at once, and nothing is asked for without it before. */
export function SignOutButton({ label = "Sign out" }: { label?: string }) {
  const signOut = useChange(async () => {
    await askOnce(() => client.DELETE("/session")).catch((reason: unknown) => {
      // It has ended already.
      if (!(reason instanceof Fault) || reason.code !== "unauthorized") throw reason;
    });
    location.assign("/account/");
  });
  return (
    <div>
      {signOut.fault !== null && <FaultNote fault={signOut.fault} />}
      <Button look="quiet" isPending={signOut.isPending} onClick={() => void signOut.send(undefined)}>
        {label}
      </Button>
    </div>
  );
}
