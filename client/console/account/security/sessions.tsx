import { useQuery } from "@tanstack/react-query";
import type { components } from "../../../../generated/account/types.ts";
import { ask, client } from "../../api/client.ts";
import { listSessions } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { Button } from "../../ui/button.tsx";
import { Badge, Section } from "../../ui/page.tsx";
import { FaultNote, Found } from "../../ui/states.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { browserName } from "./browser-name.ts";

type OwnSession = components["schemas"]["OwnSession"];

/** Where the person is signed in; all but this session can be ended. */
export function Sessions() {
  const sessions = useQuery(listSessions);
  const end = useChange(
    (sessionId: string) =>
      ask(() => client.DELETE("/security/sessions/{sessionId}", { params: { path: { sessionId } } })),
    ["listSessions"],
  );
  const endOthers = useChange(() => ask(() => client.DELETE("/security/sessions")), ["listSessions"]);
  const fault = end.fault ?? endOthers.fault;
  const areOthers = sessions.data?.sessions.some(({ isThisOne }) => !isThisOne) ?? false;
  const endAll = (
    <Button
      look="quiet"
      whyNot={areOthers ? null : "There is no other session."}
      isPending={endOthers.isPending}
      onClick={() => void endOthers.send(undefined)}
    >
      End all others
    </Button>
  );
  return (
    <Section title="Where you are signed in" actions={sessions.data && endAll}>
      {fault !== null && <FaultNote fault={fault} />}
      <Found query={sessions}>
        {({ sessions }) => (
          <Table
            caption="Your sessions, the newest first"
            columns={columns(end.send)}
            rows={sessions}
            idOf={({ sessionId }) => sessionId}
          />
        )}
      </Found>
    </Section>
  );
}

function columns(end: (sessionId: string) => unknown): readonly Column<OwnSession>[] {
  return [
    { title: "Browser", show: ({ userAgent }) => browserName(userAgent) },
    { title: "From", show: ({ address }) => address },
    { title: "Since", show: ({ createdAt }) => <Time at={createdAt} /> },
    { title: "Last seen", show: ({ lastSeenAt }) => <Time at={lastSeenAt} /> },
    {
      title: "End it",
      show: ({ sessionId, isThisOne }) =>
        isThisOne ? (
          <Badge tone="good">This one</Badge>
        ) : (
          <Button look="quiet" onClick={() => end(sessionId)}>
            End
          </Button>
        ),
    },
  ];
}
