import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";
const EMAIL = "VARCHAR(254) CHARACTER SET ascii COLLATE ascii_bin";

// email_key is the e-mail in lower case. Of passwords, tokens and recovery codes only hashes are here; TOTP secrets are encrypted.
const TABLES: Record<string, string> = {
  users: `
    user_id ${ID} NOT NULL,
    email ${EMAIL} NOT NULL,
    email_key ${EMAIL} NOT NULL,
    name VARCHAR(200) NOT NULL,
    password_hash VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id),
    UNIQUE KEY users_email (email_key)`,
  memberships: `
    user_id ${ID} NOT NULL,
    account_id ${ID} NOT NULL,
    role ${WORD} NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (user_id, account_id),
    KEY memberships_account (account_id)`,
  invitations: `
    token_hash BINARY(32) NOT NULL,
    invitation_id ${ID} NOT NULL,
    purpose ${WORD} NOT NULL,
    email ${EMAIL} NOT NULL,
    email_key ${EMAIL} NOT NULL,
    account_id ${ID} NULL,
    role ${WORD} NULL,
    created_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    used_at_ms BIGINT NULL,
    PRIMARY KEY (token_hash),
    UNIQUE KEY invitations_id (invitation_id),
    KEY invitations_email (email_key)`,
  sessions: `
    token_hash BINARY(32) NOT NULL,
    session_id ${ID} NOT NULL,
    user_id ${ID} NOT NULL,
    audience ${WORD} NOT NULL,
    awaits_factor TINYINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    last_seen_at_ms BIGINT NOT NULL,
    factor_at_ms BIGINT NOT NULL,
    address VARCHAR(64) NOT NULL,
    user_agent VARCHAR(255) NOT NULL,
    PRIMARY KEY (token_hash),
    UNIQUE KEY sessions_id (session_id),
    KEY sessions_user (user_id)`,
  totp_secrets: `
    user_id ${ID} NOT NULL,
    ciphertext VARBINARY(255) NOT NULL,
    confirmed_at_ms BIGINT NULL,
    last_step BIGINT NOT NULL,
    PRIMARY KEY (user_id)`,
  recovery_codes: `
    user_id ${ID} NOT NULL,
    code_hash BINARY(32) NOT NULL,
    PRIMARY KEY (user_id, code_hash)`,
};

/** Adds the people who sign in, what they may do, and their sessions and second factors. */
export async function up(knex: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(TABLES))
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) ${OPTIONS}`);
}

/** Drops them again; accounts and keys stay. */
export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(TABLES)) await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}
