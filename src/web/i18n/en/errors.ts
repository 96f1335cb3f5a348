/**
 * Errors that only the browser can detect, and the words around a problem. The texts of the server's codes
 * are in shared/errors-en.ts.
 */
export const errors = {
  offline: 'You are offline. Check your connection. Reconnecting automatically.',
  unreachable: 'The server cannot be reached. Check your connection. Reconnecting automatically.',
  unreadable:
    'The response from the server could not be read. Sheetcast may have been updated. Please reload the page.',
  request_id: 'Request {{id}}',
  options: 'The options could not be loaded.',
  retry: 'Try again',
} as const
