/** What only the browser can tell, and the words around a problem. The texts of the server's codes stand in shared/errors-en.ts. */
export const errors = {
  unreachable: 'The server cannot be reached. Check your connection; trying again by itself.',
  unreadable:
    'The answer of the server could not be read. Sheetcast may have been updated: load the page again.',
  request_id: 'Request {{id}}',
  retry: 'Try again',
  offer: {
    field: 'Show the field',
    permission_settings: 'Permission settings',
    share_spreadsheet: 'How to share it',
    run_again: 'Run again',
    fewer_cells: 'Reduce the data',
    edit_report: 'Edit the report',
    support: 'Report the issue',
    wait: 'Show the run',
    contact_pm: 'Contact the PM',
  },
} as const
