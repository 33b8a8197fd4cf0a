// Generated from spec/operator by "npm run generate". DO NOT EDIT.

/** The status that each error code comes with. */
export const ERROR_STATUSES = {
  invalid_input: 400,
  bad_request: 400,
  unauthorized: 401,
  sign_in_refused: 401,
  cross_site: 403,
  second_factor_required: 403,
  second_factor_missing: 403,
  step_up_required: 403,
  insufficient_scope: 403,
  wrong_code: 403,
  not_found: 404,
  second_factor_conflict: 409,
  last_admin: 409,
  invitation_gone: 410,
  too_many_attempts: 429,
  server_error: 500,
  unavailable: 503,
  outcome_unknown: 503,
} as const;
