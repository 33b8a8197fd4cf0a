/** What is done, by the document's names, in words; there may be others later. */
const ACTIONS: Readonly<Record<string, string>> = {
  signed_in: "Signed in",
  session_ended: "Ended a session",
  other_sessions_ended: "Ended all other sessions",
  password_changed: "Changed the password",
  totp_added: "Set up an app for codes",
  totp_removed: "Removed the app for codes",
  passkey_added: "Added a passkey",
  passkey_renamed: "Renamed a passkey",
  passkey_removed: "Removed a passkey",
  recovery_codes_renewed: "Made new recovery codes",
  key_created: "Made a key",
  key_changed: "Changed a key",
  key_rotated: "Rotated a key",
  key_overlap_ended: "Ended the former secrets of a key",
  key_revoked: "Revoked a key",
  codes_shown: "Saw the codes of an order",
  settings_changed: "Changed the settings",
  member_invited: "Invited a member",
  member_joined: "Joined the account",
  member_removed: "Removed a member",
};

/** All that are known. */
export const KNOWN_ACTIONS: readonly string[] = Object.keys(ACTIONS);

/** What was done, in words; what has none as it is called. */
export function actionWords(action: string): string {
  return ACTIONS[action] ?? action.replaceAll("_", " ");
}
