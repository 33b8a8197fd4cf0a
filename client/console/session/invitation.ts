const NAME = "invitation";

/**
 * Takes the token out of the link that the page was opened with, so that neither the address bar nor the history keeps it; null
 * where the link had none.
 */
export function takeInvitationToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get(NAME);
  if (token !== null) history.replaceState(null, "", location.pathname + location.search);
  return token;
}
