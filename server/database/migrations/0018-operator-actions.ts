import type { Knex } from "knex";

// See 0001-ordering-tables for the conventions of the schema.
const OPTIONS = "ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin ROW_FORMAT=DYNAMIC";
const ASCII = "CHARACTER SET ascii COLLATE ascii_bin";
const ID = `VARCHAR(40) ${ASCII}`;
const WORD = `VARCHAR(16) ${ASCII}`;

/** Adds the log of what operators do, and its head. What was done before is not in it. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`CREATE TABLE IF NOT EXISTS operator_actions (
    sequence BIGINT NOT NULL,
    created_at_ms BIGINT NOT NULL,
    actor_kind ${WORD} NOT NULL,
    actor_id ${ID} NULL,
    actor_name VARCHAR(320) NOT NULL,
    operation VARCHAR(64) ${ASCII} NOT NULL,
    target_kind ${WORD} NOT NULL,
    target_id VARCHAR(255) NOT NULL,
    state_before MEDIUMTEXT NULL,
    state_after MEDIUMTEXT NULL,
    reason VARCHAR(1000) NULL,
    request_id VARCHAR(255) ${ASCII} NOT NULL,
    previous_hash BINARY(32) NOT NULL,
    hash BINARY(32) NOT NULL,
    PRIMARY KEY (sequence),
    KEY operator_actions_time (created_at_ms, sequence),
    KEY operator_actions_actor (actor_id, sequence),
    KEY operator_actions_actor_name (actor_name, sequence),
    KEY operator_actions_operation (operation, sequence),
    KEY operator_actions_target (target_id, sequence)) ${OPTIONS}`);
  // One row, which the first action makes.
  await knex.raw(`CREATE TABLE IF NOT EXISTS operator_action_head (
    head_id TINYINT NOT NULL,
    sequence BIGINT NOT NULL,
    hash BINARY(32) NOT NULL,
    created_at_ms BIGINT NOT NULL,
    PRIMARY KEY (head_id)) ${OPTIONS}`);
}

/** Drops the log; what was done stays done. */
export async function down(knex: Knex): Promise<void> {
  await knex.raw("DROP TABLE IF EXISTS operator_action_head");
  await knex.raw("DROP TABLE IF EXISTS operator_actions");
}
