import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ComponentProps, type ReactNode, useState } from "react";
import { Found } from "../ui/states.tsx";
import { AcceptInvitation } from "./accept-invitation.tsx";
import { Door } from "./door.tsx";
import { FactorForm } from "./factor-form.tsx";
import { PasskeySignIn } from "./passkey-button.tsx";
import { becomeSession, getSession, type Session } from "./session.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { SignOutButton } from "./sign-out-button.tsx";

/**
 * Lets in who is signed in, at the page that they have asked for; everybody else signs in first.
 * @param props.invitationToken what the link has that the page was opened with, which goes first
 */
export function SessionGate({
  invitationToken,
  children,
}: {
  invitationToken: string | null;
  children: ReactNode;
}) {
  const queries = useQueryClient();
  const [token, setToken] = useState(invitationToken);
  const session = useQuery({ ...getSession, enabled: token === null });
  const become = (next: Session) => {
    becomeSession(queries, next);
    setToken(null);
  };
  if (token !== null) return <AcceptInvitation token={token} onSignedIn={become} />;
  if (session.data === undefined) {
    return (
      <Door title="Account center">
        <Found query={session}>{() => null}</Found>
      </Door>
    );
  }
  if (session.data === null) {
    return (
      <Door title="Sign in">
        <SignInForm onSignedIn={become} />
        <PasskeySignIn label="Sign in with a passkey" onGiven={become} />
      </Door>
    );
  }
  if (session.data.waitsForSecondFactor)
    return <FactorDoor factors={session.data.secondFactors} onGiven={become} />;
  return children;
}

function FactorDoor(props: ComponentProps<typeof FactorForm>) {
  return (
    <Door title="Your second factor">
      <FactorForm {...props} />
      <SignOutButton label="Sign in as somebody else" />
    </Door>
  );
}
