/** What only the browser can tell, and the words around a problem. The texts of the server's codes stand in shared/errors-en.ts. */
export const errors = {
  unreachable: 'The server cannot be reached. Check your connection; trying again by itself.',
  unreadable:
    'The answer of the server could not be read. Sheetcast may have been updated: load the page again.',
  try_again_in: 'Too many requests at once. Please try again in {{seconds}} s.',
  too_many_reports:
    'One person may have {{limit}} reports, and you have as many. Deleted reports count for 30 days.',
  too_many_folders:
    'One person may have {{limit}} folders, and you have as many. Deleted folders count for 30 days.',
  too_many_issues: 'You have reported {{limit}} issues in the last 24 hours. Please try again later.',
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
