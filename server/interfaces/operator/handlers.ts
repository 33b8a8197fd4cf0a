import type { operations } from "../../../generated/operator/types.ts";
import type { OperationHandlers } from "../../http/operation.ts";
import { acceptInvitation } from "./accept-invitation.ts";
import { beginTotp } from "./begin-totp.ts";
import { changePassword } from "./change-password.ts";
import { confirmTotp } from "./confirm-totp.ts";
import { endOtherSessions } from "./end-other-sessions.ts";
import { endSession } from "./end-session.ts";
import { getSecurity } from "./get-security.ts";
import { getSession } from "./get-session.ts";
import { giveFactor } from "./give-factor.ts";
import { inviteOperator } from "./invite-operator.ts";
import { listOperators } from "./list-operators.ts";
import { listSessions } from "./list-sessions.ts";
import { removeOperator } from "./remove-operator.ts";
import { removeTotp } from "./remove-totp.ts";
import { renewRecoveryCodes } from "./renew-recovery-codes.ts";
import type { OperatorServices } from "./services.ts";
import { showInvitation } from "./show-invitation.ts";
import { signIn } from "./sign-in.ts";
import { signOut } from "./sign-out.ts";
import { stepUp } from "./step-up.ts";

/** The handler of every operation of the operator console. */
export const OPERATOR_HANDLERS: OperationHandlers<operations, OperatorServices> = {
  signIn,
  getSession,
  signOut,
  giveFactor,
  stepUp,
  showInvitation,
  acceptInvitation,
  getSecurity,
  changePassword,
  beginTotp,
  confirmTotp,
  removeTotp,
  renewRecoveryCodes,
  listSessions,
  endOtherSessions,
  endSession,
  listOperators,
  inviteOperator,
  removeOperator,
};
