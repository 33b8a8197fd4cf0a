import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ID = "VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin";
const WORD = "VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin";

/** Adds the passkeys of people, and the challenges that they sign. */
export async function up(knex: Knex): Promise<void> {
  // credential_hash is the SHA-256 of credential_id, which is too long for an index.
  await knex.raw(`CREATE TABLE IF NOT EXISTS passkeys (
    passkey_id ${ID} NOT NULL,
    user_id ${ID} NOT NULL,
    credential_hash BINARY(32) NOT NULL,
    credential_id VARBINARY(1023) NOT NULL,
    public_key VARBINARY(1024) NOT NULL,
    sign_count BIGINT NOT NULL,
    name VARCHAR(100) NOT NULL,
    created_at_ms BIGINT NOT NULL,
    last_used_at_ms BIGINT NULL,
    PRIMARY KEY (passkey_id),
    UNIQUE KEY passkeys_credential (credential_hash),
    KEY passkeys_user (user_id)) ${OPTIONS}`);
  // session_id is empty where nobody is signed in.
  await knex.raw(`CREATE TABLE IF NOT EXISTS passkey_challenges (
    challenge_hash BINARY(32) NOT NULL,
    purpose ${WORD} NOT NULL,
    session_id ${ID} NOT NULL,
    expires_at_ms BIGINT NOT NULL,
    PRIMARY KEY (challenge_hash),
    KEY passkey_challenges_session (session_id, purpose),
    KEY passkey_challenges_end (expires_at_ms)) ${OPTIONS}`);
}

/** Drops both again; who has no other second factor signs in by the password alone. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS passkey_challenges");
  await knex.raw("DROP TABLE IF EXISTS passkeys");
}
