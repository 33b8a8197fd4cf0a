// Generated from spec/proxy by "npm run generate". DO NOT EDIT.

/** The statuses that each type of error comes with; one without any is no operation's answer. */
export const ERROR_STATUSES = {
  invalid_request_error: [400, 408, 409, 413],
  authentication_error: [401],
  billing_error: [402],
  permission_error: [403],
  not_found_error: [404],
  timeout_error: [408],
  conflict_error: [409],
  request_too_large: [413],
  rate_limit_error: [429],
  api_error: [500, 502, 503],
  overloaded_error: [529],
} as const;
