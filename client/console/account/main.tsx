import { CSPProvider } from "@base-ui/react/csp-provider";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot, type Root } from "react-dom/client";
import { Fault } from "../api/fault.ts";
import { leavePages } from "../api/interruptions.ts";
import { InterruptionDialog } from "../session/interruption-dialog.tsx";
import { takeInvitationToken } from "../session/invitation.ts";
import { getSession } from "../session/session.ts";
import { SessionGate } from "../session/session-gate.tsx";
import { showTheme } from "../session/theme.ts";
import "../ui/theme.css";
import { DeferredRouter } from "../ui/deferred-router.tsx";
import { AccountCenter } from "./account-center.tsx";
import { loadPageAt } from "./pages.ts";

const place = document.getElementById("page");
if (place === null) throw new Error("The page lacks its place.");
let shown: Root | null = null;

/** Shows the pages from the beginning, and forgets all that was read before. */
function begin(within: HTMLElement): void {
  shown?.unmount();
  leavePages();
  showTheme();
  const invitationToken = takeInvitationToken();
  const queries = newQueryClient();
  // Who is signed in is asked, and their page loaded, while React begins.
  if (invitationToken === null) void queries.prefetchQuery(getSession);
  loadPageAt(location.pathname);
  shown = createRoot(within);
  shown.render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <DeferredRouter base="/account">
            <SessionGate invitationToken={invitationToken}>
              <AccountCenter />
            </SessionGate>
            <InterruptionDialog />
          </DeferredRouter>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        // What the service has said is said; an answer that got lost may come at once.
        retry: (count, reason) => reason instanceof Fault && reason.code === "no_answer" && count < 1,
        networkMode: "always",
      },
      mutations: { networkMode: "always" },
    },
  });
}

begin(place);
// What the browser has kept of a page that was left and shows again, by its Back, may be of who has signed out since.
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) begin(place);
});
