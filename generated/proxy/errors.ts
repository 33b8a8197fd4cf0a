// Generated from spec/proxy by "npm run generate". DO NOT EDIT.

/** The statuses that each type of error comes with; one without any is no operation's answer. */
export const ERROR_STATUSES = {
  invalid_request_error: [400],
  authentication_error: [401],
  billing_error: [402],
  not_found_error: [],
  rate_limit_error: [429],
  api_error: [500, 502, 503],
  overloaded_error: [529],
} as const;
