/**
 * Whether a 403 of Google's is about the login and no account: consent was given to less than reading, or the
 * API is not switched on in the Cloud project that the login belongs to. Every account fails at once then,
 * and only the administrators of the shared login can fix it; Google's message, which names the API and where
 * to switch it on, is stored for them. So it ends as credential_expired: platform_error would be retried for
 * hours, and account_access_lost would send people to clients who have taken nothing back.
 */
export const isAboutLogin = ({ reasons, message }: { reasons: readonly string[]; message: string }) =>
  reasons.some(reason => REASONS.has(reason)) || WORDS.test(message)

/** Of google.rpc.ErrorInfo, and of the form that older APIs refuse in. */
const REASONS = new Set(['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 'SERVICE_DISABLED', 'accessNotConfigured'])
/** Details are often missing. */
const WORDS = /insufficient authentication scopes|has not been used in project|it is disabled/i
