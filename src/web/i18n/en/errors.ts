/** What only the browser can tell, and the words around a problem. The texts of the server's codes stand in shared/errors.ts. */
export const errors = {
  unreachable: 'The server cannot be reached. Check your connection; trying again by itself.',
  unreadable:
    'The answer of the server could not be read. Sheetcast may have been updated: load the page again.',
  request_id: 'Request {{id}}',
  retry: 'Try again',
  reload: 'Load the page again',
  wait: 'It goes on by itself.',
  contact_pm: 'Please give the PM the request number.',
} as const
