// Generated from spec/operator by "npm run generate". DO NOT EDIT.

export interface paths {
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read who is signed in
         * @description Who is signed in, and in which role; also of a session that waits for the second factor.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in
         * @description Begins a session, whose token comes in a cookie. Of who has a second factor the session waits for it, and allows nothing else
         *     until it is given. People who are not known get the same answer as a wrong password, after the same time.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session, at once and for good.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give the second factor
         * @description Gives the session the second factor that it waits for, and another token with it.
         */
        post: operations["giveFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/step-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove again who you are
         * @description For 10 minutes you may then do what wants it. By the second factor where you have one, else by the password; a sign-in counts as
         *     one.
         */
        post: operations["stepUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read what a link is for
         * @description What a link is for; that does not use it. The token stands in the body and not in the path, so that no log has
         *     it.
         */
        post: operations["showInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/acceptance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation
         * @description Uses the link, once: makes you an operator, or sets the new password. Who has a password gives it, and keeps it;
         *     everybody else chooses one. Then sign in.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read how you prove who you are
         * @description Your second factor, and how many recovery codes are left.
         */
        get: operations["getSecurity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Choose another password
         * @description Sets another password, and ends your other sessions.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Confirm an app for codes
         * @description Makes the app your second factor, and ends your other sessions. The recovery codes are shown this once.
         */
        put: operations["confirmTotp"];
        /**
         * Begin with an app for codes
         * @description Makes a secret for an app. It is your second factor when you have given its first code; one that was not
         *     confirmed is replaced.
         */
        post: operations["beginTotp"];
        /**
         * Remove the second factor
         * @description Takes the app and all recovery codes away.
         */
        delete: operations["removeTotp"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make new recovery codes
         * @description New recovery codes in the place of all that there are. They are shown this once.
         */
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Your sessions, the newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /**
         * End your other sessions
         * @description Ends all of your sessions but the one that asks, at once.
         */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a session
         * @description Ends one of your sessions, at once.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the operators
         * @description Who runs the shop and in which role, by e-mail. For every operator.
         */
        get: operations["listOperators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operators/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an operator
         * @description Takes the role away and ends all sessions of the person, at once; what they are a member of stays. The last admin is not removed.
         *     For admins, who have given a factor in the last 10 minutes.
         */
        delete: operations["removeOperator"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite an operator
         * @description Makes a link that makes one person an operator, once and for 30 minutes; pass it on. An earlier one for the same person ends.
         *     Who is an operator already gets the role by it. For admins, who have given a factor in the last 10 minutes.
         */
        post: operations["inviteOperator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Accepts an invitation. Who is new chooses name and password; who has a password gives it. */
        Acceptance: {
            /** @description The token of the link. */
            token: string;
            password: components["schemas"]["GivenPassword"];
            /** @description The name of who is new; for others it may be left out. */
            name?: string;
        };
        /** @description Who may sign in now. */
        AcceptedInvitation: {
            /** @description The e-mail to sign in with. */
            email: string;
        };
        /** @description The body of every error; each answer says which of the codes it can carry. */
        ApiError: {
            error: components["schemas"]["ErrorCode"];
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The request does not come from a page of this service, or the session still waits for the second factor. */
        ChangeForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description The service cannot answer at the moment, or the database did not say whether the change was made: look, then
         *     send it again.
         */
        ChangeUnavailableError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "unavailable" | "outcome_unknown";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description As when who you are is to be proved first; or the code is not the one that the app shows. */
        CodeRefusedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "step_up_required" | "wrong_code";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The request does not come from a page of this service. */
        CrossSiteError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description An e-mail address; upper and lower case are the same.
         * @example grace@shop.example
         */
        Email: string;
        /**
         * @description The stable code to branch on.
         *
         *     | HTTP | Code | Condition | What to do |
         *     |---|---|---|---|
         *     | 400 | `invalid_input` | a path, query, header or body field is invalid; `details.fields` says in words what is wrong with each field | correct the fields; do not send it again unchanged |
         *     | 400 | `bad_request` | the body is missing, too large, or not a JSON object sent as `application/json` | correct the request; do not send it again unchanged |
         *     | 401 | `unauthorized` | there is no session, or it has ended | sign in, then go on |
         *     | 401 | `sign_in_refused` | e-mail and password do not belong together, or they are not those of an operator; which of it is not told | try again, or ask for a new link |
         *     | 403 | `cross_site` | the request comes from a page of another site, or does not say where it comes from | send it from a page of this service |
         *     | 403 | `second_factor_required` | the session still waits for the second factor | give it with `POST /session/factor` |
         *     | 403 | `second_factor_missing` | you have no second factor, and the shop asks its operators for one | set one up with `POST /security/totp` |
         *     | 403 | `step_up_required` | what was asked for wants a factor that was given in the last 10 minutes | give one with `POST /session/step-up`, then send it again |
         *     | 403 | `insufficient_scope` | your role does not allow this | ask an admin |
         *     | 403 | `wrong_code` | the code or the password is wrong, or the code was used before | try again with the next code |
         *     | 404 | `not_found` | there is no such thing, or not for you | check the id |
         *     | 409 | `second_factor_conflict` | there is a second factor already, or none where one is needed | read `GET /security`, then decide |
         *     | 409 | `last_admin` | the shop would have no admin any more | make somebody else an admin first |
         *     | 410 | `invitation_gone` | the link was used, has expired or was replaced by a newer one | ask for a new link |
         *     | 429 | `too_many_attempts` | there were too many wrong attempts, from your network or for this person | wait `Retry-After` seconds |
         *     | 500 | `server_error` | an unexpected fault | send it again; name the `X-Request-Id` when you ask for help |
         *     | 503 | `unavailable` | the service cannot answer at the moment | wait `Retry-After` seconds, then send it again |
         *     | 503 | `outcome_unknown` | the database did not say whether the change was made | look whether it was, then send it again where it was not |
         * @enum {string}
         */
        ErrorCode: "invalid_input" | "bad_request" | "unauthorized" | "sign_in_refused" | "cross_site" | "second_factor_required" | "second_factor_missing" | "step_up_required" | "insufficient_scope" | "wrong_code" | "not_found" | "second_factor_conflict" | "last_admin" | "invitation_gone" | "too_many_attempts" | "server_error" | "unavailable" | "outcome_unknown";
        /**
         * @description Facts about the error, as any JSON value. These can be relied on; others only help to find the cause:
         *     - `invalid_input`: `fields`, an object that has for each field that is wrong a sentence which says why.
         */
        ErrorDetails: unknown;
        /** @description An explanation for people. Its text can change at any time; do not branch on it. */
        ErrorMessage: string;
        /**
         * @description The password, as it was chosen.
         * @example correct horse battery
         */
        GivenPassword: string;
        /** @description A field of the request is invalid, which `details.fields` says of each, or the body cannot be read. */
        InvalidBodyError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "invalid_input" | "bad_request";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description What a link is for. */
        Invitation: {
            /** @description Who it was made for. */
            email: string;
            /** @description The role that it gives you; null: it has you choose a new password. */
            role: string | null;
            /** @description Whether you are known here already, and are asked for your password; otherwise you choose one. */
            hasPassword: boolean;
            expiresAt: components["schemas"]["Time"];
        };
        /** @description The link was used, has expired or was replaced by a newer one. */
        InvitationGoneError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "invitation_gone";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description A link for one person, which is shown this once and stored nowhere. */
        InvitationLink: {
            /** @description Who it is for. */
            email: string;
            role: components["schemas"]["Role"];
            /**
             * Format: uri
             * @description What to pass on. Whoever has it can use it: send it to nobody else.
             */
            link: string;
            expiresAt: components["schemas"]["Time"];
        };
        /** @description Who is to be let in. */
        InvitationRequest: {
            email: components["schemas"]["Email"];
            /**
             * @description What they may do.
             * @enum {string}
             */
            role: "viewer" | "support" | "finance" | "admin";
        };
        /** @description What the link has behind `#invitation=`. */
        InvitationToken: {
            /** @description The token of the link. */
            token: string;
        };
        /** @description The shop would have no admin any more. */
        LastAdminError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "last_admin";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The session still waits for the second factor, or you have none where the shop asks for one. */
        LookForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "second_factor_required" | "second_factor_missing";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description A password of 12 to 200 characters.
         * @example correct horse battery
         */
        NewPassword: string;
        /** @description There is no such thing, or not for you: what belongs to others is not told from what does not exist. */
        NotFoundError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "not_found";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Somebody who runs the shop. */
        Operator: {
            /** @description The id of the user. */
            userId: string;
            /** @description The e-mail of the user. */
            email: string;
            /** @description The name of the user. */
            name: string;
            role: components["schemas"]["Role"];
            /** @description Whether they give a second factor when they sign in. */
            hasSecondFactor: boolean;
        };
        /**
         * @description Your role does not allow this, who you are is to be proved first, the request comes from elsewhere, or a second
         *     factor is missing.
         */
        OperatorChangeForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "second_factor_missing" | "step_up_required" | "insufficient_scope";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Those who run the shop, by e-mail. */
        OperatorList: {
            /** @description The operators. */
            operators: components["schemas"]["Operator"][];
        };
        /** @description A session of yours in one browser. */
        OwnSession: {
            /** @description The id of the session. */
            sessionId: string;
            /** @description Whether it is the one that asks. */
            isThisOne: boolean;
            /** @description The network address that it was begun from. */
            address: string;
            /** @description What the browser calls itself. */
            userAgent: string;
            createdAt: components["schemas"]["Time"];
            lastSeenAt: components["schemas"]["Time"];
            endsAt: components["schemas"]["Time"];
        };
        /** @description Another password in the place of the present one. */
        PasswordChange: {
            currentPassword: components["schemas"]["GivenPassword"];
            newPassword: components["schemas"]["NewPassword"];
        };
        /** @description Proves who you are. `password` is enough only for who has no second factor. */
        Proof: {
            /**
             * @description A password, a code that an app shows, or a recovery code.
             * @enum {string}
             */
            kind: "password" | "totp" | "recovery_code";
            /** @description The password or the code. */
            value: string;
        };
        /** @description The request does not come from a page of this service, or what was to prove who you are is wrong. */
        ProofRefusedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "wrong_code";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Codes for when the app is lost, each good for once. They are shown once: keep them where the app is not. */
        RecoveryCodes: {
            /** @description The codes. */
            codes: string[];
        };
        /**
         * @description What an operator may do: `viewer` look at everything, `support` also orders, `finance` also money, `admin` everything. There may be
         *     others later.
         * @example admin
         */
        Role: string;
        /** @description There is a second factor already, or none where one is needed. */
        SecondFactorConflictError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "second_factor_conflict";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The session still waits for the second factor. */
        SecondFactorRequiredError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "second_factor_required";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description How you prove who you are. */
        Security: {
            /** @description Whether you have an app for codes as a second factor. */
            hasTotp: boolean;
            /** @description Whether you have passkeys, which are second factors as well. */
            hasPasskeys: boolean;
            /**
             * Format: int32
             * @description How many recovery codes have not been used.
             */
            recoveryCodesLeft: number;
        };
        /** @description Who is signed in. Its token is in the cookie alone. */
        Session: {
            /** @description The id of the session, which lets nobody in. */
            sessionId: string;
            /** @description The id of the user. */
            userId: string;
            /** @description The e-mail of the user. */
            email: string;
            /** @description The name of the user. */
            name: string;
            /** @description Whether the second factor is still to come: until then nothing else is allowed. */
            waitsForSecondFactor: boolean;
            /** @description The second factors that you have: `totp`, `passkey`; there may be others later. */
            secondFactors: string[];
            role: components["schemas"]["Role"];
            /**
             * @description Whether your role is of use in this session. Not while it waits for the second factor, nor while you have none where the
             *     shop asks for one: set one up first.
             */
            mayAct: boolean;
            endsAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description Until when you may do what wants a recent factor; null: give one first.
             */
            steppedUpUntil: string | null;
        };
        /** @description Your sessions, the newest first. */
        SessionList: {
            /** @description The sessions. */
            sessions: components["schemas"]["OwnSession"][];
        };
        /** @description Who signs in. */
        SignIn: {
            email: components["schemas"]["Email"];
            password: components["schemas"]["GivenPassword"];
        };
        /**
         * @description E-mail and password do not belong together, or they are not those of an operator.
         *     Unknown people get the same answer.
         */
        SignInRefusedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "sign_in_refused";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The request does not come from a page of this service, or who you are is to be proved first. */
        StepUpRequiredError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "step_up_required";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * Format: date-time
         * @description A moment in ISO 8601, UTC, to the millisecond.
         * @example 2026-11-20T09:30:00.000Z
         */
        Time: string;
        /** @description There were too many wrong attempts, from your network or for this person. Wait `Retry-After` seconds. */
        TooManyAttemptsError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "too_many_attempts";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description A code that the app shows. */
        TotpCode: {
            /**
             * @description Six digits.
             * @example 492039
             */
            code: string;
        };
        /** @description What an app for codes is set up with. It is shown once. */
        TotpSecret: {
            /** @description The secret in base32, to be typed. */
            secret: string;
            /** @description The same as apps read it from a picture: `otpauth://totp/…`. */
            uri: string;
        };
        /**
         * @description There is no session, or it has ended: because of its age, because it was ended, or since its user may not sign
         *     in any more.
         */
        UnauthorizedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "unauthorized";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description The service cannot answer at the moment, as while it is restarted or cannot reach its data. Wait `Retry-After`
         *     seconds.
         */
        UnavailableError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "unavailable";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description An unexpected fault. */
        UnexpectedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "server_error";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
    };
    responses: {
        /** @description The request does not come from a page of this service, or the session still waits for the second factor. */
        ChangeForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangeForbiddenError"];
            };
        };
        /**
         * @description The service cannot answer at the moment, or the database did not say whether the change was made: look, then
         *     send it again.
         */
        ChangeUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-if-known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChangeUnavailableError"];
            };
        };
        /** @description As when who you are is to be proved first; or the code is not the one that the app shows. */
        CodeRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CodeRefusedError"];
            };
        };
        /** @description The request does not come from a page of this service. */
        CrossSite: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CrossSiteError"];
            };
        };
        /** @description A field of the request is invalid, which `details.fields` says of each, or the body cannot be read. */
        InvalidBody: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidBodyError"];
            };
        };
        /** @description The link was used, has expired or was replaced by a newer one. */
        InvitationGone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvitationGoneError"];
            };
        };
        /** @description The shop would have no admin any more. */
        LastAdmin: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LastAdminError"];
            };
        };
        /** @description The session still waits for the second factor, or you have none where the shop asks for one. */
        LookForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LookForbiddenError"];
            };
        };
        /** @description There is no such thing, or not for you: what belongs to others is not told from what does not exist. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /**
         * @description Your role does not allow this, who you are is to be proved first, the request comes from elsewhere, or a second
         *     factor is missing.
         */
        OperatorChangeForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OperatorChangeForbiddenError"];
            };
        };
        /** @description The request does not come from a page of this service, or what was to prove who you are is wrong. */
        ProofRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProofRefusedError"];
            };
        };
        /** @description There is a second factor already, or none where one is needed. */
        SecondFactorConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecondFactorConflictError"];
            };
        };
        /** @description The session still waits for the second factor. */
        SecondFactorRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SecondFactorRequiredError"];
            };
        };
        /** @description An unexpected fault. */
        ServerError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnexpectedError"];
            };
        };
        /**
         * @description E-mail and password do not belong together, or they are not those of an operator.
         *     Unknown people get the same answer.
         */
        SignInRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SignInRefusedError"];
            };
        };
        /** @description The request does not come from a page of this service, or who you are is to be proved first. */
        StepUpRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["StepUpRequiredError"];
            };
        };
        /** @description There were too many wrong attempts, from your network or for this person. Wait `Retry-After` seconds. */
        TooManyAttempts: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyAttemptsError"];
            };
        };
        /**
         * @description There is no session, or it has ended: because of its age, because it was ended, or since its user may not sign
         *     in any more.
         */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /**
         * @description The service cannot answer at the moment, as while it is restarted or cannot reach its data. Wait `Retry-After`
         *     seconds.
         */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After-if-known"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
    };
    parameters: {
        /**
         * @description One of your sessions.
         * @example ses_01938c8e6f2b7c3e9a4d5f6071829306
         */
        SessionId: string;
        /**
         * @description The id of an operator.
         * @example usr_01938c8e6f2b7c3e9a4d5f607182930d
         */
        UserId: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Whole seconds to wait before the next attempt.
         * @example 12
         */
        "Retry-After": number;
        /**
         * @description Whole seconds to wait before the next attempt, where the service can tell.
         * @example 2
         */
        "Retry-After-if-known": number;
        /**
         * @description The cookie of the session, which scripts cannot read and other sites do not send. When the session is ended, the same
         *     cookie with nothing in it, so that the browser forgets it.
         * @example __Host-operator-session=q0wYt2Zk7vB1nX4sD9fG3hJ6kL8pQ5rT0uW2yA7cE1i; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=43200
         */
        "Set-Cookie": string;
        /**
         * @description Identifies this request in the service's logs. A request may bring its own: up to 128 letters, digits, `.`, `_`
         *     and `-` come back unchanged; otherwise, and for what looks like a key, the service makes one.
         * @example 3f0c9b1e-6d0a-4a57-9a53-0f6a1f3c2b7d
         */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthorized"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["CrossSite"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CrossSite"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    giveFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proof"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Set-Cookie": components["headers"]["Set-Cookie"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ProofRefused"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    stepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Proof"];
            };
        };
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ProofRefused"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    showInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationToken"];
            };
        };
        responses: {
            /** @description The invitation. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            400: components["responses"]["InvalidBody"];
            403: components["responses"]["CrossSite"];
            410: components["responses"]["InvitationGone"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acceptance"];
            };
        };
        responses: {
            /** @description You may sign in. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AcceptedInvitation"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["SignInRefused"];
            403: components["responses"]["CrossSite"];
            409: components["responses"]["LastAdmin"];
            410: components["responses"]["InvitationGone"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    getSecurity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Your factors. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Security"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            /** @description The new password holds. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Security"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    confirmTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TotpCode"];
            };
        };
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["CodeRefused"];
            409: components["responses"]["SecondFactorConflict"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    beginTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TotpSecret"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StepUpRequired"];
            409: components["responses"]["SecondFactorConflict"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    removeTotp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no second factor any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StepUpRequired"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StepUpRequired"];
            409: components["responses"]["SecondFactorConflict"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The others have ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your sessions.
                 * @example ses_01938c8e6f2b7c3e9a4d5f6071829306
                 */
                sessionId: components["parameters"]["SessionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listOperators: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operators. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["LookForbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeOperator: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of an operator.
                 * @example usr_01938c8e6f2b7c3e9a4d5f607182930d
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They run the shop no more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OperatorChangeForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastAdmin"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    inviteOperator: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvitationRequest"];
            };
        };
        responses: {
            /** @description The link. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationLink"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["OperatorChangeForbidden"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
}
