import type { operations } from "../../../generated/account/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { addPasskey } from "./add-passkey.ts";
import { beginPasskey } from "./begin-passkey.ts";
import { beginPasskeySignIn } from "./begin-passkey-sign-in.ts";
import { beginPasskeyStepUp } from "./begin-passkey-step-up.ts";
import { beginTotp } from "./begin-totp.ts";
import { changeKey } from "./change-key.ts";
import { changePassword } from "./change-password.ts";
import { changeSettings } from "./change-settings.ts";
import { confirmTotp } from "./confirm-totp.ts";
import { createKey } from "./create-key.ts";
import { endKeyOverlap } from "./end-key-overlap.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { endSession } from "./end-session.ts";
import { exportActivity } from "./export-activity.ts";
import { exportLedger } from "./export-ledger.ts";
import { exportOrders } from "./export-orders.ts";
import { exportUsage } from "./export-usage.ts";
import { getCallStatistics } from "./get-call-statistics.ts";
import { getKey } from "./get-key.ts";
import { getOrder } from "./get-order.ts";
import { getOrderStatistics } from "./get-order-statistics.ts";
import { getOverview } from "./get-overview.ts";
import { getSecurity } from "./get-security.ts";
import { getSession } from "./get-session.ts";
import { getSettings } from "./get-settings.ts";
import { getSpendStatistics } from "./get-spend-statistics.ts";
import { getStatement } from "./get-statement.ts";
import { giveFactor } from "./give-factor.ts";
import { inviteMember } from "./invite-member.ts";
import { listActivity } from "./list-activity.ts";
import { listKeys } from "./list-keys.ts";
import { listLedger } from "./list-ledger.ts";
import { listMembers } from "./list-members.ts";
import { listOrders } from "./list-orders.ts";
import { listPasskeys } from "./list-passkeys.ts";
import { listSessions } from "./list-sessions.ts";
import { removeMember } from "./remove-member.ts";
import { removePasskey } from "./remove-passkey.ts";
import { removeTotp } from "./remove-totp.ts";
import { renamePasskey } from "./rename-passkey.ts";
import { renewRecoveryCodes } from "./renew-recovery-codes.ts";
import { revealOrderCodes } from "./reveal-order-codes.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import type { AccountServices } from "./services.ts";
import { showInvitation } from "./show-invitation.ts";
import { signIn } from "./sign-in.ts";
import { signInByPasskey } from "./sign-in-by-passkey.ts";
import { signOut } from "./sign-out.ts";
import { stepUp } from "./step-up.ts";
import { stepUpByPasskey } from "./step-up-by-passkey.ts";

/** The handler of every operation of the account center. */
export const ACCOUNT_HANDLERS: OperationHandlers<operations, AccountServices> = {
  signIn,
  getSession,
  signOut,
  giveFactor,
  stepUp,
  beginPasskeySignIn,
  signInByPasskey,
  beginPasskeyStepUp,
  stepUpByPasskey,
  showInvitation,
  acceptInvitation,
  getSecurity,
  changePassword,
  beginTotp,
  confirmTotp,
  removeTotp,
  listPasskeys,
  beginPasskey,
  addPasskey,
  renamePasskey,
  removePasskey,
  renewRecoveryCodes,
  listSessions,
  endOtherSessions,
  endSession,
  getOverview,
  listKeys,
  createKey,
  getKey,
  changeKey,
  revokeKey,
  rotateKey,
  endKeyOverlap,
  listMembers,
  removeMember,
  inviteMember,
  listActivity,
  listOrders,
  getOrder,
  revealOrderCodes,
  listLedger,
  getStatement,
  getSettings,
  changeSettings,
  getSpendStatistics,
  getOrderStatistics,
  getCallStatistics,
  exportOrders,
  exportLedger,
  exportUsage,
  exportActivity,
};
