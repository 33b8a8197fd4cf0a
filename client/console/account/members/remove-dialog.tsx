import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { useChange } from "../../api/use-change.ts";
import { Button, Buttons } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FaultNote } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";

type Member = components["schemas"]["Member"];

/** Asks whether somebody is to be removed, and removes them. */
export function RemoveDialog({ member, onClose }: { member: Member | null; onClose: () => void }) {
  const { accountId, accountName } = useAccount();
  const remove = useChange(
    (userId: string) =>
      ask(async () => {
        const path = { accountId, userId };
        const removed = await client.DELETE("/accounts/{accountId}/members/{userId}", { params: { path } });
        return { ...removed, data: true };
      }),
    ["listMembers", "getSession"],
  );
  const close = () => {
    remove.reset();
    onClose();
  };
  const send = async () => {
    if (member !== null && (await remove.send(member.userId)) !== null) close();
  };
  return (
    <Dialog isOpen={member !== null} title={`Remove ${member?.name ?? ""}?`} onClose={close}>
      {remove.fault !== null && <FaultNote fault={remove.fault} />}
      <p>
        {member?.email} can do nothing in {accountName} any more, at once. Keys that they have made go on
        working: revoke those that they know.
      </p>
      <Buttons>
        <Button look="danger" isPending={remove.isPending} onClick={() => void send()}>
          Remove
        </Button>
        <Button onClick={close}>Cancel</Button>
      </Buttons>
    </Dialog>
  );
}
