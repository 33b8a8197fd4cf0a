// Generated from spec/account by "npm run generate". DO NOT EDIT.

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
         * @description Who is signed in, and to which accounts; also of a session that waits for the second factor.
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
    "/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a passkey
         * @description Begins a session, whose token comes in a cookie. A passkey has the person show that it is them, so that it counts as both
         *     factors and the session waits for nothing. Passkeys that are not known get the same answer as wrong ones, after the same time.
         */
        post: operations["signInByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/passkey/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in with a passkey
         * @description Makes a challenge, for which a passkey of whoever has one signs in the browser. It is good once, and for five
         *     minutes.
         */
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/step-up/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove with a passkey who you are
         * @description For 10 minutes you may then do what wants it, as after any other proof.
         */
        post: operations["stepUpByPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session/step-up/passkey/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to prove with a passkey who you are
         * @description Makes a challenge for one of your passkeys, in this session. It is good once, and for five minutes; a newer one takes
         *     its place.
         */
        post: operations["beginPasskeyStepUp"];
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
         * @description Uses the link, once: makes you a member of the account, or sets the new password. Who has a password gives it, and keeps it;
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
    "/security/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your passkeys
         * @description Your passkeys, the newest first.
         */
        get: operations["listPasskeys"];
        put?: never;
        /**
         * Add a passkey
         * @description Keeps a passkey that the browser has made for the challenge of `beginPasskey`. The first second factor brings recovery
         *     codes, which are shown this once, and ends your other sessions.
         */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/passkeys/challenge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin with a passkey
         * @description Makes a challenge for a new passkey, in this session. It is good once, and for five minutes; a newer one takes its
         *     place.
         */
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/security/passkeys/{passkeyId}": {
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
         * Remove a passkey
         * @description From now on it signs nobody in. With your last second factor the recovery codes go as well. Have the browser or the
         *     password manager forget the passkey too.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /**
         * Rename a passkey
         * @description Gives one of your passkeys another name.
         */
        patch: operations["renamePasskey"];
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
    "/accounts/{accountId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what the account has
         * @description Balance, what is reserved and for what, and the level. For every member.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the settings
         * @description For every member.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings
         * @description Sets the settings that are given, and leaves the others. For owners and billing.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/accounts/{accountId}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys
         * @description The keys of the account, newest first. For owners and developers.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Make a key
         * @description Makes a key. Its secret is in the answer and never again. For owners and developers, who have given a factor
         *     in the last 10 minutes.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a key
         * @description One key, with its former secrets that still work. For owners and developers.
         */
        get: operations["getKey"];
        put?: never;
        post?: never;
        /**
         * Revoke a key
         * @description Refuses the key for good, from within a second on; again, it changes nothing. For owners and developers, who have given a factor in
         *     the last 10 minutes.
         */
        delete: operations["revokeKey"];
        options?: never;
        head?: never;
        /**
         * Change a key
         * @description Sets what is given, from within a second on. For owners and developers, who have given a factor in the last 10
         *     minutes.
         */
        patch: operations["changeKey"];
        trace?: never;
    };
    "/accounts/{accountId}/keys/{keyId}/rotation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a key a new secret
         * @description Gives the key a new secret, shown this once. The present one works until the overlap ends, so that programs can take the new one each
         *     in its turn. For owners and developers, who have given a factor in the last 10 minutes.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/keys/{keyId}/former-secrets": {
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
         * End the overlap of a key
         * @description Refuses the former secrets of the key, from within a second on. For owners and developers, who have given a factor in the last 10
         *     minutes.
         */
        delete: operations["endKeyOverlap"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members
         * @description Who may work with the account and in which role, by e-mail. For every member.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/members/{userId}": {
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
         * Remove a member
         * @description Takes a member out of the account, at once; keys that they have made go on working. For owners, who have given a factor in the
         *     last 10 minutes.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Invite somebody
         * @description Makes a link that lets one person into the account, once and for 30 minutes; pass it on. An earlier one for the same person ends.
         *     Who is a member already gets the role by it. For owners, who have given a factor in the last 10 minutes.
         */
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what was done
         * @description What the people of the account have done in the account center, newest first, one page at a time: who signed in, what became of
         *     keys, members and settings, and whose codes were shown. Nothing of it is changed or removed afterwards. For owners.
         */
        get: operations["listActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the orders
         * @description The orders of the account, newest first, one page at a time, without their codes; by `from` and `to` those that
         *     were made in a period. For owners and developers.
         */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/orders/{orderId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an order
         * @description One order, without its codes. For owners and developers.
         */
        get: operations["getOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/orders/{orderId}/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show the codes of an order
         * @description The codes of an order that is delivered. That they were shown, and to whom, stands in the account's activity. For owners and
         *     developers, who have given a factor in the last 10 minutes.
         */
        post: operations["revealOrderCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what changed the balance
         * @description Payments, orders, calls, refunds and corrections, each with the balance after it, newest first, one page at a time; by
         *     `from` and `to` those of a period, as its file and its statements have them. For owners and billing.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/statements/{month}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the statement of a month
         * @description What became of the balance in a month: `opening` and the sums of all types come to `closing`, which is the `opening` of the next
         *     month. That of a month which is over does not change; that of the present month goes up to now. For owners and billing.
         */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/statistics/spend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was spent over time
         * @description What orders and calls came to in each hour, day or month of a time zone, and what was refunded. Figures are current. For every
         *     member.
         */
        get: operations["getSpendStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/statistics/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was ordered over time
         * @description What was delivered and refunded in each hour, day or month of a time zone, by product where that is asked for. An order counts when
         *     it is delivered, and a refund when it is made. For every member.
         */
        get: operations["getOrderStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/statistics/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what was called over time
         * @description The calls of each hour, day or month of a time zone, with their tokens and what they cost, by key or by model where that is asked for.
         *     A call counts when it ends. For every member.
         */
        get: operations["getCallStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/exports/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export orders
         * @description The orders that were made in the period as CSV, newest first, without their codes. For owners and developers.
         */
        get: operations["exportOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/exports/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the ledger
         * @description The entries of the ledger of the period as CSV, in the order of time: files of periods that follow each other hold each entry once. For owners
         *     and billing.
         */
        get: operations["exportLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/exports/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the usage
         * @description The calls that began in the period as CSV, newest first. For every member.
         */
        get: operations["exportUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/accounts/{accountId}/exports/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the activity
         * @description What the people of the account did in the period as CSV, newest first. For owners.
         */
        get: operations["exportActivity"];
        put?: never;
        post?: never;
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
        /** @description Something that one of the account's people has done. */
        ActivityEntry: {
            /** @description The id of the entry. */
            entryId: string;
            /**
             * @description What was done. Of signing in and of one's own security: `signed_in`, `session_ended`, `other_sessions_ended`,
             *     `password_changed`, `totp_added`, `totp_removed`, `passkey_added`, `passkey_renamed`, `passkey_removed`,
             *     `recovery_codes_renewed`. Of keys: `key_created`, `key_changed`, `key_rotated`, `key_overlap_ended`, `key_revoked`.
             *     Of orders: `codes_shown`. Of the account: `settings_changed`. Of members: `member_invited`, `member_joined`,
             *     `member_removed`. There may be others later.
             * @example signed_in
             * @example session_ended
             * @example other_sessions_ended
             * @example password_changed
             * @example totp_added
             * @example totp_removed
             * @example passkey_added
             * @example passkey_renamed
             * @example passkey_removed
             * @example recovery_codes_renewed
             * @example key_created
             * @example key_changed
             * @example key_rotated
             * @example key_overlap_ended
             * @example key_revoked
             * @example codes_shown
             * @example settings_changed
             * @example member_invited
             * @example member_joined
             * @example member_removed
             */
            action: string;
            /** @description Who did it. */
            userId: string;
            /** @description Their e-mail at that time. */
            email: string;
            /**
             * @description The id of the key, order, user, session or passkey that it was done to, or of the passkey that signed in; null where there is
             *     none.
             */
            targetId: string | null;
            /** @description How people know that, such as the name of the key or the e-mail of the member; null where they do not. */
            targetName: string | null;
            /** @description The network address that the request came from. */
            address: string;
            createdAt: components["schemas"]["Time"];
        };
        /** @description One page of what the people of the account have done, newest first. */
        ActivityList: {
            /** @description The entries. */
            entries: components["schemas"]["ActivityEntry"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description The `cursor` of the page that follows; null on the last one. */
            nextCursor: string | null;
        };
        /** @description A passkey that was added. */
        AddedPasskey: {
            passkey: components["schemas"]["Passkey"];
            /** @description Codes for when the passkey is lost, each good once and shown this once; null: there was a second factor already, and its codes stay. */
            recoveryCodes: string[] | null;
        };
        /** @description The body of every error; each answer says which of the codes it can carry. */
        ApiError: {
            error: components["schemas"]["ErrorCode"];
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description What was called in one bucket. */
        CallBucket: {
            from: components["schemas"]["Time"];
            to: components["schemas"]["Time"];
            /** @description One that stands for everything together, or one for each key or model that has anything, by their ids. */
            groups: components["schemas"]["CallFigures"][];
        };
        /** @description The calls that ended, what they used and what they cost. */
        CallFigures: {
            /** @description The id of the key or the model; null where everything is together. */
            group: string | null;
            /**
             * Format: int64
             * @description How many were completed.
             */
            completed: number;
            /**
             * Format: int64
             * @description How many the program broke off.
             */
            clientAborted: number;
            /**
             * Format: int64
             * @description How many failed behind the shop.
             */
            upstreamFailed: number;
            /**
             * Format: int64
             * @description How many were refused behind the shop.
             */
            rejected: number;
            /**
             * Format: int64
             * @description Tokens of input.
             */
            inputTokens: number;
            /**
             * Format: int64
             * @description Tokens of output.
             */
            outputTokens: number;
            /**
             * Format: int64
             * @description Tokens that were written into a cache.
             */
            cacheWriteTokens: number;
            /**
             * Format: int64
             * @description Tokens that were read from a cache.
             */
            cacheReadTokens: number;
            amount: components["schemas"]["ExactMoney"];
        };
        /** @description What was called over time. */
        CallStatistics: {
            /** @description How long a bucket is: `PT1H`, `P1D` or `P1M`. */
            granularity: string;
            /** @description Whose hours, days and months they are. */
            timeZone: string;
            /** @description The buckets of the period, the oldest first, without a gap. */
            buckets: components["schemas"]["CallBucket"][];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
        };
        /** @description The request does not come from a page of the account center, or the session still waits for the second factor. */
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
        /** @description The request does not come from a page of the account center. */
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
         * @description A heading and a line for each row, with commas between the cells. Times are ISO 8601 in UTC, amounts are in USD. What a spreadsheet
         *     would take for a formula begins with an apostrophe.
         */
        CsvText: string;
        /**
         * @description An amount in USD as a decimal string. Never compute with it in binary floating point.
         * @example 12.50
         * @example -0.0042
         */
        DecimalMoney: string;
        /**
         * @description An e-mail address; upper and lower case are the same.
         * @example ada@buyer.example
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
         *     | 401 | `sign_in_refused` | e-mail and password do not belong together, the passkey was not accepted, or there is no account to sign in to; which of it is not told | try again, or ask for a new link |
         *     | 403 | `cross_site` | the request comes from a page of another site, or does not say where it comes from | send it from a page of the account center |
         *     | 403 | `second_factor_required` | the session still waits for the second factor | give it with `POST /session/factor` |
         *     | 403 | `step_up_required` | what was asked for wants a factor that was given in the last 10 minutes | give one with `POST /session/step-up`, then send it again |
         *     | 403 | `insufficient_scope` | your role in the account does not allow this | ask an owner of the account |
         *     | 403 | `wrong_code` | the code or the password is wrong, or the code was used before | try again with the next code |
         *     | 403 | `passkey_refused` | what the browser has made or signed is not for the challenge or for this site, was used before, or is no passkey of yours | begin anew with another challenge |
         *     | 404 | `not_found` | there is no such thing, or not for you | check the id |
         *     | 409 | `key_exists` | the `Idempotency-Key` has made a key already; `details.key` is its id | use that key, or revoke it and make another with another `Idempotency-Key` |
         *     | 409 | `key_ended` | the key is revoked or has expired, so that a new secret of it would not work | make another key |
         *     | 409 | `no_codes` | the order is not delivered, or was refunded; `details.status` is its state | show what its state means |
         *     | 409 | `second_factor_conflict` | there is a second factor already, or none where one is needed | read `GET /security`, then decide |
         *     | 409 | `passkey_exists` | the passkey is there already | use it, or add another |
         *     | 409 | `too_many_passkeys` | there are 20 passkeys already | remove one that is not used |
         *     | 409 | `last_owner` | the account would have no owner any more | make somebody else an owner first |
         *     | 410 | `invitation_gone` | the link was used, has expired or was replaced by a newer one | ask for a new link |
         *     | 429 | `too_many_attempts` | there were too many wrong attempts, from your network or for this person | wait `Retry-After` seconds |
         *     | 500 | `server_error` | an unexpected fault | send it again; name the `X-Request-Id` when you ask for help |
         *     | 503 | `unavailable` | the service cannot answer at the moment | wait `Retry-After` seconds, then send it again |
         *     | 503 | `outcome_unknown` | the database did not say whether the change was made | look whether it was, then send it again where it was not |
         * @enum {string}
         */
        ErrorCode: "invalid_input" | "bad_request" | "unauthorized" | "sign_in_refused" | "cross_site" | "second_factor_required" | "step_up_required" | "insufficient_scope" | "wrong_code" | "passkey_refused" | "not_found" | "key_exists" | "key_ended" | "no_codes" | "second_factor_conflict" | "passkey_exists" | "too_many_passkeys" | "last_owner" | "invitation_gone" | "too_many_attempts" | "server_error" | "unavailable" | "outcome_unknown";
        /**
         * @description Facts about the error, as any JSON value. These can be relied on; others only help to find the cause:
         *     - `invalid_input`: `fields`, an object that has for each field that is wrong a sentence which says why.
         *     - `key_exists`: `key`, the id of the key that was made.
         *     - `no_codes`: `status`, the state of the order.
         */
        ErrorDetails: unknown;
        /** @description An explanation for people. Its text can change at any time; do not branch on it. */
        ErrorMessage: string;
        /**
         * @description An amount in USD as a decimal string, exact, with two to eight decimals.
         * @example -0.00000127
         */
        ExactMoney: string;
        /** @description A secret that was replaced and still works. */
        FormerSecret: {
            /** @description The secret, masked. */
            preview: string;
            replacedAt: components["schemas"]["Time"];
            worksUntil: components["schemas"]["Time"];
        };
        /**
         * @description The password, as it was chosen.
         * @example correct horse battery
         */
        GivenPassword: string;
        /** @description An amount that is set aside for something under way. */
        Hold: {
            /** @description The id of the order or call. */
            id: string;
            /**
             * @description What it is held for: `order` or `call`. There may be others later.
             * @example order
             */
            kind: string;
            amount: components["schemas"]["DecimalMoney"];
            since: components["schemas"]["Time"];
        };
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
        /** @description A value of the path or query is invalid, which `details.fields` says of each. */
        InvalidInputError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "invalid_input";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description What a link is for. */
        Invitation: {
            /** @description Who it was made for. */
            email: string;
            /** @description The account that it makes you a member of; null: it has you choose a new password. */
            accountName: string | null;
            /** @description The role there; null where there is no account. */
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
            role: "owner" | "developer" | "billing";
        };
        /** @description What the link has behind `#invitation=`. */
        InvitationToken: {
            /** @description The token of the link. */
            token: string;
        };
        /** @description A key of the account, never with its secret. */
        Key: {
            /** @description The id of the key, which is not the key itself. */
            keyId: string;
            /** @description null: it has none. */
            name: string | null;
            kind: components["schemas"]["KeyKind"];
            /**
             * @description `active`, `revoked` or `expired`; there may be others later.
             * @example active
             */
            status: string;
            /** @description The present secret, masked. */
            preview: string;
            /** @description The most that one order may cost, as it was set; null: no limit of its own. */
            orderCap: string | null;
            /** @description The most that may be spent on a UTC day, as it was set; null: no limit of its own. */
            dailyCap: string | null;
            /** @description The most that `orderCap` may be, as the shop has set it; null: no ceiling. The smaller of both holds. */
            orderCapCeiling: string | null;
            /** @description The most that `dailyCap` may be, as the shop has set it; null: no ceiling. The smaller of both holds. */
            dailyCapCeiling: string | null;
            spentToday: components["schemas"]["DecimalMoney"];
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description From when on it is refused; null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was used last, up to a minute or so late; null: never.
             */
            lastUsedAt: string | null;
            /** @description Secrets that still work beside the present one, the newest first. */
            formerSecrets: components["schemas"]["FormerSecret"][];
        };
        /** @description What is to be changed of a key, at least one of it: null takes it away, what is left out stays. */
        KeyChange: {
            /** @description What people know the key by; null: it has none. */
            name?: string | null;
            /** @description The most that one order may cost; at most its ceiling. */
            orderCap?: string | null;
            /** @description The most that may be spent on a UTC day; at most its ceiling. */
            dailyCap?: string | null;
            /**
             * Format: date-time
             * @description From when on it is refused; an expired key works again when it is moved.
             */
            expiresAt?: string | null;
        };
        /**
         * @description Your role in the account does not allow this, or who you are is to be proved first, or the request comes from
         *     elsewhere.
         */
        KeyChangeForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "step_up_required" | "insufficient_scope";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description The key is revoked or has expired. */
        KeyEndedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "key_ended";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description The `Idempotency-Key` has made a key already. Its secret was shown once; if it is lost, revoke that key and
         *     make another.
         */
        KeyExistsError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "key_exists";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /**
         * @description What a key is for: `general` calls models and reads the catalog, `product_ordering` reads and orders, `ai_proxy` calls models.
         * @enum {string}
         */
        KeyKind: "general" | "product_ordering" | "ai_proxy";
        /** @description The keys of the account, newest first. */
        KeyList: {
            /** @description The keys, also those that have ended. */
            keys: components["schemas"]["Key"][];
        };
        /** @description A key that is to be made; what is left out is none. */
        KeyRequest: {
            kind: components["schemas"]["KeyKind"];
            /** @description What people know the key by; null: it has none. */
            name?: string | null;
            /** @description The most that one order may cost; at most its ceiling. */
            orderCap?: string | null;
            /** @description The most that may be spent on a UTC day; at most its ceiling. */
            dailyCap?: string | null;
            /**
             * Format: date-time
             * @description From when on it is refused.
             */
            expiresAt?: string | null;
        };
        /** @description A key with its new secret, which is shown this once and stored nowhere. */
        KeyWithSecret: {
            /**
             * @description The full key, as programs send it.
             * @example svc_sk_…
             */
            secret: string;
            key: components["schemas"]["Key"];
        };
        /** @description The account would have no owner any more. */
        LastOwnerError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "last_owner";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description One change of the balance. */
        LedgerEntry: {
            /**
             * @description The id of the entry, such as `led_17`; they count up without gaps.
             * @example led_17
             */
            entryId: string;
            type: components["schemas"]["LedgerEntryType"];
            amount: components["schemas"]["ExactMoney"];
            balanceAfter: components["schemas"]["ExactMoney"];
            /** @description The id of the order or call, or what the shop calls the payment or correction. */
            reference: string;
            createdAt: components["schemas"]["Time"];
        };
        /** @description One page of what changed the balance, newest first. */
        LedgerEntryList: {
            /** @description The entries. */
            entries: components["schemas"]["LedgerEntry"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description The `cursor` of the page that follows; null on the last one. */
            nextCursor: string | null;
        };
        /**
         * @description `top_up` is a payment, `order` and `call` are what was bought, `refund` gives an order's amount back, and `adjustment` is a
         *     correction of the shop. There may be others later.
         * @example order
         */
        LedgerEntryType: string;
        /** @description Somebody who may work with the account. */
        Member: {
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
        /** @description The members of the account, by e-mail. */
        MemberList: {
            /** @description The members. */
            members: components["schemas"]["Member"][];
        };
        /** @description An account that you are a member of. */
        Membership: {
            /** @description The id of the account. */
            accountId: string;
            /** @description The name of the account. */
            accountName: string;
            role: components["schemas"]["Role"];
        };
        /** @description A passkey that the browser has made. */
        NewPasskey: {
            /** @description What you know it by, such as the device that it is on. */
            name: string;
            /** @description The `rawId` of the credential, in base64url. */
            credentialId: string;
            /** @description The `clientDataJSON` of its response, in base64url. */
            clientDataJSON: string;
            /** @description The `attestationObject` of its response, in base64url. */
            attestationObject: string;
        };
        /**
         * @description A password of 12 to 200 characters.
         * @example correct horse battery
         */
        NewPassword: string;
        /** @description What is missing to the next level; null at the highest. */
        NextLevel: {
            /**
             * Format: int32
             * @description The next level.
             */
            level: number;
            remaining: components["schemas"]["DecimalMoney"];
        } | null;
        /** @description The order has no codes to show, for it is not delivered, or was refunded. */
        NoCodesError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "no_codes";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
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
        /** @description What a program of the account has ordered, without the codes. */
        Order: {
            /** @description The id of the order. */
            orderId: string;
            /** @description The id that the program gave it. */
            externalOrderId: string;
            /** @description The key that it was placed with. */
            keyId: string;
            /** @description The product that was ordered. */
            productId: string;
            /** @description Its name at that time. */
            productName: string;
            /**
             * Format: int32
             * @description How many codes were ordered.
             */
            qty: number;
            unitPrice: components["schemas"]["DecimalMoney"];
            amount: components["schemas"]["DecimalMoney"];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
            /**
             * @description `processing` while the codes are bought, `retryable` when nothing was bought and the program may send it again, `delivered`,
             *     `failed` or `refunded`. There may be others later.
             * @example delivered
             */
            status: string;
            /** @description Why an order that is `retryable` or `failed` was not fulfilled, such as `out_of_stock`; null otherwise. */
            errorCode: string | null;
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When the codes were delivered; null before that.
             */
            deliveredAt: string | null;
            /**
             * Format: date-time
             * @description When the amount was given back; null where it was not.
             */
            refundedAt: string | null;
        };
        /** @description What was ordered in one bucket. */
        OrderBucket: {
            from: components["schemas"]["Time"];
            to: components["schemas"]["Time"];
            /** @description One that stands for everything together, or one for each product that has anything, by their ids. */
            groups: components["schemas"]["OrderFigures"][];
        };
        /** @description The codes of an order. */
        OrderCodes: {
            /** @description The id of the order. */
            orderId: string;
            /** @description As many codes as were ordered. Whoever has one can redeem it. */
            codes: string[];
            /** @description Where the codes are redeemed; null where it is not known. */
            redeemUrl: string | null;
        };
        /** @description What was delivered and refunded. */
        OrderFigures: {
            /** @description The id of the product; null where everything is together. */
            group: string | null;
            /**
             * Format: int64
             * @description How many orders were delivered.
             */
            orders: number;
            /**
             * Format: int64
             * @description How many codes that were.
             */
            codes: number;
            amount: components["schemas"]["ExactMoney"];
            /**
             * Format: int64
             * @description How many orders were refunded, whenever they were delivered.
             */
            refunds: number;
            refundedAmount: components["schemas"]["ExactMoney"];
        };
        /** @description One page of orders, newest first. */
        OrderList: {
            /** @description The orders. */
            orders: components["schemas"]["Order"][];
            /** @description Whether another page follows. */
            hasMore: boolean;
            /** @description The `cursor` of the page that follows; null on the last one. */
            nextCursor: string | null;
        };
        /** @description What was ordered over time. */
        OrderStatistics: {
            /** @description How long a bucket is: `PT1H`, `P1D` or `P1M`. */
            granularity: string;
            /** @description Whose hours, days and months they are. */
            timeZone: string;
            /** @description The buckets of the period, the oldest first, without a gap. */
            buckets: components["schemas"]["OrderBucket"][];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
        };
        /** @description What the account has. `available` is `balance` minus `reserved`, and never below zero. */
        Overview: {
            /** @description The id of the account. */
            accountId: string;
            /** @description Its name. */
            name: string;
            role: components["schemas"]["Role"];
            balance: components["schemas"]["DecimalMoney"];
            reserved: components["schemas"]["DecimalMoney"];
            available: components["schemas"]["DecimalMoney"];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
            /** @description What `reserved` is made of, the oldest first, at most 100. */
            holds: components["schemas"]["Hold"][];
            /** @description Whether there are more holds than are shown. */
            hasMoreHolds: boolean;
            /**
             * Format: int32
             * @description The level of the account, which decides its prices.
             */
            level: number;
            nextLevel: components["schemas"]["NextLevel"];
            /** @description Whose days and months the pages show, as the settings say it. */
            timeZone: string;
            /** @description The amount of the settings below which `isBalanceLow` is true; null where it never is. */
            lowBalance: string | null;
            /** @description Whether less is available than `lowBalance`. */
            isBalanceLow: boolean;
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
        /** @description A passkey of yours. */
        Passkey: {
            /** @description The id of the passkey, which is not the one that browsers know it by. */
            passkeyId: string;
            /** @description What you know the passkey by. */
            name: string;
            createdAt: components["schemas"]["Time"];
            /**
             * Format: date-time
             * @description When it last signed you in or proved who you are; null: never.
             */
            lastUsedAt: string | null;
        };
        /** @description What a passkey signs, with the person verified. */
        PasskeyChallenge: {
            /** @description The challenge, in base64url. */
            challenge: string;
            /** @description The ids of the credentials that may sign, in base64url; none: whichever the person chooses. */
            allowedCredentials: string[];
        };
        /** @description Another name of a passkey. */
        PasskeyChange: {
            /** @description What you know it by, such as the device that it is on. */
            name: string;
        };
        /** @description The passkey is there already, or there are as many as there may be. */
        PasskeyConflictError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "passkey_exists" | "too_many_passkeys";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description What a browser makes a passkey with: for the host of the page, discoverable, with the person verified, without attestation. */
        PasskeyCreation: {
            /** @description The challenge, in base64url. */
            challenge: string;
            /** @description The id that authenticators know you by, in base64url. */
            userHandle: string;
            /** @description The ids of the credentials that you have, in base64url; who holds one of them makes no other. */
            excludedCredentials: string[];
            /** @description The kinds of signatures that are taken, as COSE numbers them, the best first. */
            algorithms: number[];
        };
        /** @description Your passkeys, the newest first. */
        PasskeyList: {
            /** @description The passkeys. */
            passkeys: components["schemas"]["Passkey"][];
        };
        /** @description What a passkey has signed. */
        PasskeyProof: {
            /** @description The `rawId` of the credential, in base64url. */
            credentialId: string;
            /** @description The `clientDataJSON` of its response, in base64url. */
            clientDataJSON: string;
            /** @description The `authenticatorData` of its response, in base64url. */
            authenticatorData: string;
            /** @description The `signature` of its response, in base64url. */
            signature: string;
            /** @description The `userHandle` of its response, in base64url, where it has one. */
            userHandle?: string | null;
        };
        /** @description As when the session still waits; or what the browser has signed does not prove who you are. */
        PasskeyProofRefusedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "passkey_refused";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description As when who you are is to be proved first; or what the browser has made is no passkey for the challenge. */
        PasskeyRefusedError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "step_up_required" | "passkey_refused";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
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
        /** @description The request does not come from a page of the account center, or what was to prove who you are is wrong. */
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
         * @description What a member may do: `owner` everything, `developer` keys and orders, `billing` money and statements. There may be
         *     others later.
         * @example owner
         */
        Role: string;
        /** @description Your role in the account does not allow this, or the session still waits for the second factor. */
        RoleForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "second_factor_required" | "insufficient_scope";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description How long the present secret goes on working beside the new one. */
        Rotation: {
            /**
             * Format: int32
             * @description Seconds; 0 ends it at once, at most 7 days.
             */
            overlapSeconds: number;
        };
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
            /** @description The accounts that you may work with; those that are suspended are missing. */
            memberships: components["schemas"]["Membership"][];
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
        /** @description What an account has set for its people. */
        Settings: {
            /** @description Whose days and months its pages show, as IANA names it; `UTC` where it was not set. */
            timeZone: string;
            /** @description Below which amount that is available the overview says so; null where it never does. */
            lowBalance: string | null;
        };
        /** @description The settings that are given are set, the others are left. */
        SettingsChange: {
            /** @description Whose days and months the pages show, as IANA names it. */
            timeZone?: string;
            /** @description Below which amount in USD that is available the overview says so; null for never. */
            lowBalance?: string | null;
        };
        /**
         * @description Your role in the account does not allow this, or the request comes from elsewhere, or the session still waits for the second
         *     factor.
         */
        SettingsForbiddenError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "cross_site" | "second_factor_required" | "insufficient_scope";
            message: components["schemas"]["ErrorMessage"];
            details?: components["schemas"]["ErrorDetails"];
        };
        /** @description Who signs in. */
        SignIn: {
            email: components["schemas"]["Email"];
            password: components["schemas"]["GivenPassword"];
        };
        /**
         * @description E-mail and password do not belong together, the passkey was not accepted, or there is no account to sign in to.
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
        /** @description What was spent in one bucket. `total` is `orders` plus `calls` minus `refunds`. */
        SpendBucket: {
            from: components["schemas"]["Time"];
            to: components["schemas"]["Time"];
            orders: components["schemas"]["ExactMoney"];
            calls: components["schemas"]["ExactMoney"];
            refunds: components["schemas"]["ExactMoney"];
            total: components["schemas"]["ExactMoney"];
        };
        /** @description What was spent over time. */
        SpendStatistics: {
            /** @description How long a bucket is: `PT1H`, `P1D` or `P1M`. */
            granularity: string;
            /** @description Whose hours, days and months they are. */
            timeZone: string;
            /** @description The buckets of the period, the oldest first, without a gap. */
            buckets: components["schemas"]["SpendBucket"][];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
        };
        /** @description What became of the balance in a month. `opening` and all sums come to `closing`. */
        Statement: {
            /** @description The id of the account. */
            accountId: string;
            /**
             * @description The month, as it was asked for.
             * @example 2026-11
             */
            month: string;
            /**
             * @description Whose month it is.
             * @example UTC
             */
            timeZone: string;
            from: components["schemas"]["Time"];
            to: components["schemas"]["Time"];
            opening: components["schemas"]["ExactMoney"];
            closing: components["schemas"]["ExactMoney"];
            /** @description What there was of each type, by its name. */
            sums: components["schemas"]["StatementSum"][];
            /**
             * @description Always USD.
             * @constant
             */
            currency: "USD";
        };
        /** @description All entries of one type in a month. */
        StatementSum: {
            type: components["schemas"]["LedgerEntryType"];
            /**
             * Format: int64
             * @description How many there are.
             */
            entries: number;
            amount: components["schemas"]["ExactMoney"];
        };
        /** @description The request does not come from a page of the account center, or who you are is to be proved first. */
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
        /** @description There are as many passkeys as there may be. */
        TooManyPasskeysError: {
            /**
             * @description The stable code to branch on; see `ErrorCode`.
             * @enum {string}
             */
            error: "too_many_passkeys";
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
        /** @description The request does not come from a page of the account center, or the session still waits for the second factor. */
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
        /** @description The request does not come from a page of the account center. */
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
        /** @description A value of the path or query is invalid, which `details.fields` says of each. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
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
        /**
         * @description Your role in the account does not allow this, or who you are is to be proved first, or the request comes from
         *     elsewhere.
         */
        KeyChangeForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyChangeForbiddenError"];
            };
        };
        /** @description The key is revoked or has expired. */
        KeyEnded: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyEndedError"];
            };
        };
        /**
         * @description The `Idempotency-Key` has made a key already. Its secret was shown once; if it is lost, revoke that key and
         *     make another.
         */
        KeyExists: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["KeyExistsError"];
            };
        };
        /** @description The account would have no owner any more. */
        LastOwner: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LastOwnerError"];
            };
        };
        /** @description The order has no codes to show, for it is not delivered, or was refunded. */
        NoCodes: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NoCodesError"];
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
        /** @description The passkey is there already, or there are as many as there may be. */
        PasskeyConflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasskeyConflictError"];
            };
        };
        /** @description As when the session still waits; or what the browser has signed does not prove who you are. */
        PasskeyProofRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasskeyProofRefusedError"];
            };
        };
        /** @description As when who you are is to be proved first; or what the browser has made is no passkey for the challenge. */
        PasskeyRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PasskeyRefusedError"];
            };
        };
        /** @description The request does not come from a page of the account center, or what was to prove who you are is wrong. */
        ProofRefused: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProofRefusedError"];
            };
        };
        /** @description Your role in the account does not allow this, or the session still waits for the second factor. */
        RoleForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RoleForbiddenError"];
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
         * @description Your role in the account does not allow this, or the request comes from elsewhere, or the session still waits for the second
         *     factor.
         */
        SettingsForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SettingsForbiddenError"];
            };
        };
        /**
         * @description E-mail and password do not belong together, the passkey was not accepted, or there is no account to sign in to.
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
        /** @description The request does not come from a page of the account center, or who you are is to be proved first. */
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
        /** @description There are as many passkeys as there may be. */
        TooManyPasskeys: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyPasskeysError"];
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
         * @description An account that you are a member of; every other is a 404.
         * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
         */
        AccountId: string;
        /** @description Only what was done in this way, such as `codes_shown`. */
        ActionQuery: string;
        /** @description Whether keys or models are told apart; neither where it is left out. */
        CallGroupBy: "key" | "model";
        /**
         * @description The `nextCursor` of the page before, unchanged; leave it out for the first page. One that this list did not give is refused
         *     with 400 `invalid_input`.
         */
        Cursor: string;
        /**
         * @description Where the period begins.
         * @example 2026-11-01T00:00:00Z
         */
        ExportFrom: string;
        /**
         * @description Where the period ends, which is not a part of it.
         * @example 2026-12-01T00:00:00Z
         */
        ExportTo: string;
        /** @description Only the order with this id of your program. Ids are compared byte for byte. */
        ExternalOrderIdQuery: string;
        /** @description Only from this moment on. */
        FromQuery: string;
        /**
         * @description How long a bucket is: an hour, a day or a month. The first and the last are cut where the period is.
         * @example P1D
         */
        Granularity: "PT1H" | "P1D" | "P1M";
        /**
         * @description A text of your own, such as a UUID, for this one key: sent again with it, the request makes no second key. The answer is then
         *     409 `key_exists` and names the key that was made; its secret was shown once and is not shown again.
         * @example 0198c2a4-7b3e-7d21-9f04-c1a2b3d4e5f6
         */
        IdempotencyKey: string;
        /**
         * @description A key of the account; every other is a 404.
         * @example key_01938c8e6f2b7c3e9a4d5f6071829305
         */
        KeyId: string;
        /**
         * @description The most rows that one page may hold.
         * @example 50
         */
        Limit: number;
        /**
         * @description The month, such as `2026-11`.
         * @example 2026-11
         */
        Month: string;
        /** @description Whether products are told apart; they are together where it is left out. */
        OrderGroupBy: "product";
        /**
         * @description An order of the account; every other is a 404.
         * @example ord_01938c8e6f2b7c3e9a4d5f6071829309
         */
        OrderId: string;
        /**
         * @description One of your passkeys; every other is a 404.
         * @example psk_01938c8e6f2b7c3e9a4d5f6071829308
         */
        PasskeyId: string;
        /**
         * @description Where the period begins: a moment on a quarter of an hour, such as the beginning of a day in `timeZone`.
         * @example 2026-11-18T23:00:00Z
         */
        PeriodFrom: string;
        /**
         * @description Where the period ends, which is not a part of it: a moment on a quarter of an hour.
         * @example 2026-11-20T23:00:00Z
         */
        PeriodTo: string;
        /**
         * @description One of your sessions.
         * @example ses_01938c8e6f2b7c3e9a4d5f6071829306
         */
        SessionId: string;
        /**
         * @description Whose days and months are meant, as IANA names it; UTC where it is left out.
         * @example Europe/Berlin
         */
        TimeZone: string;
        /** @description Only before this moment. */
        ToQuery: string;
        /**
         * @description A member of the account; every other is a 404.
         * @example usr_01938c8e6f2b7c3e9a4d5f6071829307
         */
        UserId: string;
        /** @description Only what this user did. */
        UserIdQuery: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description The name of the file, for browsers that save it.
         * @example attachment; filename="ledger.csv"
         */
        "Content-Disposition": string;
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
         * @example __Host-account-session=q0wYt2Zk7vB1nX4sD9fG3hJ6kL8pQ5rT0uW2yA7cE1i; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=1209600
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
    signInByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyProof"];
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
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            403: components["responses"]["CrossSite"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    stepUpByPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyProof"];
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
            403: components["responses"]["PasskeyProofRefused"];
            429: components["responses"]["TooManyAttempts"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    beginPasskeyStepUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The challenge. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyChallenge"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
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
            409: components["responses"]["LastOwner"];
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
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The passkeys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            /** @description The passkey, with the codes where it is the first second factor. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedPasskey"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["PasskeyRefused"];
            409: components["responses"]["PasskeyConflict"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the browser is to make a passkey with. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyCreation"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StepUpRequired"];
            409: components["responses"]["TooManyPasskeys"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your passkeys; every other is a 404.
                 * @example psk_01938c8e6f2b7c3e9a4d5f6071829308
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is removed. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["StepUpRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description One of your passkeys; every other is a 404.
                 * @example psk_01938c8e6f2b7c3e9a4d5f6071829308
                 */
                passkeyId: components["parameters"]["PasskeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyChange"];
            };
        };
        responses: {
            /** @description The passkey with its new name. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ChangeForbidden"];
            404: components["responses"]["NotFound"];
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
    getOverview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettingsChange"];
            };
        };
        responses: {
            /** @description The settings as they are now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SettingsForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A text of your own, such as a UUID, for this one key: sent again with it, the request makes no second key. The answer is then
                 *     409 `key_exists` and names the key that was made; its secret was shown once and is not shown again.
                 * @example 0198c2a4-7b3e-7d21-9f04-c1a2b3d4e5f6
                 */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyRequest"];
            };
        };
        responses: {
            /** @description The key with its secret. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyExists"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    getKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A key of the account; every other is a 404.
                 * @example key_01938c8e6f2b7c3e9a4d5f6071829305
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A key of the account; every other is a 404.
                 * @example key_01938c8e6f2b7c3e9a4d5f6071829305
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    changeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A key of the account; every other is a 404.
                 * @example key_01938c8e6f2b7c3e9a4d5f6071829305
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeyChange"];
            };
        };
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A key of the account; every other is a 404.
                 * @example key_01938c8e6f2b7c3e9a4d5f6071829305
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            /** @description The key with its new secret. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyWithSecret"];
                };
            };
            400: components["responses"]["InvalidBody"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["KeyEnded"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    endKeyOverlap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A key of the account; every other is a 404.
                 * @example key_01938c8e6f2b7c3e9a4d5f6071829305
                 */
                keyId: components["parameters"]["KeyId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Key"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The members. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description A member of the account; every other is a 404.
                 * @example usr_01938c8e6f2b7c3e9a4d5f6071829307
                 */
                userId: components["parameters"]["UserId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is no member any more. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["LastOwner"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
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
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listActivity: {
        parameters: {
            query?: {
                /**
                 * @description The most rows that one page may hold.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `nextCursor` of the page before, unchanged; leave it out for the first page. One that this list did not give is refused
                 *     with 400 `invalid_input`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only what was done in this way, such as `codes_shown`. */
                action?: components["parameters"]["ActionQuery"];
                /** @description Only what this user did. */
                userId?: components["parameters"]["UserIdQuery"];
                /** @description Only from this moment on. */
                from?: components["parameters"]["FromQuery"];
                /** @description Only before this moment. */
                to?: components["parameters"]["ToQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of what was done. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                /**
                 * @description The most rows that one page may hold.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `nextCursor` of the page before, unchanged; leave it out for the first page. One that this list did not give is refused
                 *     with 400 `invalid_input`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only the order with this id of your program. Ids are compared byte for byte. */
                externalOrderId?: components["parameters"]["ExternalOrderIdQuery"];
                /** @description Only from this moment on. */
                from?: components["parameters"]["FromQuery"];
                /** @description Only before this moment. */
                to?: components["parameters"]["ToQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of orders. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description An order of the account; every other is a 404.
                 * @example ord_01938c8e6f2b7c3e9a4d5f6071829309
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The order. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Order"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revealOrderCodes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description An order of the account; every other is a 404.
                 * @example ord_01938c8e6f2b7c3e9a4d5f6071829309
                 */
                orderId: components["parameters"]["OrderId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The codes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderCodes"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["KeyChangeForbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["NoCodes"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["ChangeUnavailable"];
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /**
                 * @description The most rows that one page may hold.
                 * @example 50
                 */
                limit?: components["parameters"]["Limit"];
                /**
                 * @description The `nextCursor` of the page before, unchanged; leave it out for the first page. One that this list did not give is refused
                 *     with 400 `invalid_input`.
                 */
                cursor?: components["parameters"]["Cursor"];
                /** @description Only from this moment on. */
                from?: components["parameters"]["FromQuery"];
                /** @description Only before this moment. */
                to?: components["parameters"]["ToQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page of entries. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerEntryList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /**
                 * @description Whose days and months are meant, as IANA names it; UTC where it is left out.
                 * @example Europe/Berlin
                 */
                timeZone?: components["parameters"]["TimeZone"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
                /**
                 * @description The month, such as `2026-11`.
                 * @example 2026-11
                 */
                month: components["parameters"]["Month"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statement. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Statement"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSpendStatistics: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins: a moment on a quarter of an hour, such as the beginning of a day in `timeZone`.
                 * @example 2026-11-18T23:00:00Z
                 */
                from: components["parameters"]["PeriodFrom"];
                /**
                 * @description Where the period ends, which is not a part of it: a moment on a quarter of an hour.
                 * @example 2026-11-20T23:00:00Z
                 */
                to: components["parameters"]["PeriodTo"];
                /**
                 * @description How long a bucket is: an hour, a day or a month. The first and the last are cut where the period is.
                 * @example P1D
                 */
                granularity?: components["parameters"]["Granularity"];
                /**
                 * @description Whose days and months are meant, as IANA names it; UTC where it is left out.
                 * @example Europe/Berlin
                 */
                timeZone?: components["parameters"]["TimeZone"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was spent, bucket by bucket, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SpendStatistics"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrderStatistics: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins: a moment on a quarter of an hour, such as the beginning of a day in `timeZone`.
                 * @example 2026-11-18T23:00:00Z
                 */
                from: components["parameters"]["PeriodFrom"];
                /**
                 * @description Where the period ends, which is not a part of it: a moment on a quarter of an hour.
                 * @example 2026-11-20T23:00:00Z
                 */
                to: components["parameters"]["PeriodTo"];
                /**
                 * @description How long a bucket is: an hour, a day or a month. The first and the last are cut where the period is.
                 * @example P1D
                 */
                granularity?: components["parameters"]["Granularity"];
                /**
                 * @description Whose days and months are meant, as IANA names it; UTC where it is left out.
                 * @example Europe/Berlin
                 */
                timeZone?: components["parameters"]["TimeZone"];
                /** @description Whether products are told apart; they are together where it is left out. */
                groupBy?: components["parameters"]["OrderGroupBy"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was ordered, bucket by bucket, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderStatistics"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallStatistics: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins: a moment on a quarter of an hour, such as the beginning of a day in `timeZone`.
                 * @example 2026-11-18T23:00:00Z
                 */
                from: components["parameters"]["PeriodFrom"];
                /**
                 * @description Where the period ends, which is not a part of it: a moment on a quarter of an hour.
                 * @example 2026-11-20T23:00:00Z
                 */
                to: components["parameters"]["PeriodTo"];
                /**
                 * @description How long a bucket is: an hour, a day or a month. The first and the last are cut where the period is.
                 * @example P1D
                 */
                granularity?: components["parameters"]["Granularity"];
                /**
                 * @description Whose days and months are meant, as IANA names it; UTC where it is left out.
                 * @example Europe/Berlin
                 */
                timeZone?: components["parameters"]["TimeZone"];
                /** @description Whether keys or models are told apart; neither where it is left out. */
                groupBy?: components["parameters"]["CallGroupBy"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was called, bucket by bucket, the oldest first. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallStatistics"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportOrders: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins.
                 * @example 2026-11-01T00:00:00Z
                 */
                from: components["parameters"]["ExportFrom"];
                /**
                 * @description Where the period ends, which is not a part of it.
                 * @example 2026-12-01T00:00:00Z
                 */
                to: components["parameters"]["ExportTo"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as long as it takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["CsvText"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportLedger: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins.
                 * @example 2026-11-01T00:00:00Z
                 */
                from: components["parameters"]["ExportFrom"];
                /**
                 * @description Where the period ends, which is not a part of it.
                 * @example 2026-12-01T00:00:00Z
                 */
                to: components["parameters"]["ExportTo"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as long as it takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["CsvText"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportUsage: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins.
                 * @example 2026-11-01T00:00:00Z
                 */
                from: components["parameters"]["ExportFrom"];
                /**
                 * @description Where the period ends, which is not a part of it.
                 * @example 2026-12-01T00:00:00Z
                 */
                to: components["parameters"]["ExportTo"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as long as it takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["CsvText"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["SecondFactorRequired"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
    exportActivity: {
        parameters: {
            query: {
                /**
                 * @description Where the period begins.
                 * @example 2026-11-01T00:00:00Z
                 */
                from: components["parameters"]["ExportFrom"];
                /**
                 * @description Where the period ends, which is not a part of it.
                 * @example 2026-12-01T00:00:00Z
                 */
                to: components["parameters"]["ExportTo"];
                /** @description Only what was done in this way, such as `codes_shown`. */
                action?: components["parameters"]["ActionQuery"];
                /** @description Only what this user did. */
                userId?: components["parameters"]["UserIdQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description An account that you are a member of; every other is a 404.
                 * @example acc_01938c8e6f2b7c3e9a4d5f6071829304
                 */
                accountId: components["parameters"]["AccountId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file, as long as it takes. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": components["schemas"]["CsvText"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["RoleForbidden"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["ServerError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
