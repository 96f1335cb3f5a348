/** Where a new report begins. */
export const start = {
  title: 'New report',
  detail: 'Choose a client and what to begin with. You can change everything before you save.',
  client: 'Client',
  accounts_one: '{{count}} account',
  accounts_other: '{{count}} accounts',
  search_client: 'Search clients',
  no_client: 'No client matches “{{text}}”.',
  some_clients: 'Showing {{visible}} of {{count}}. Search to find the others.',
  choose_client: 'Choose a client first: the examples are filled in with its accounts.',
  examples: 'Examples',
  everything: 'All channels of {{client}}',
  no_accounts: '{{client}} has no account for this',
  left_out: 'Without {{channels}}',
  copy: 'Copy a report',
  search_report: 'Search reports',
  copy_of: 'Copy {{name}}',
  no_clients_internal:
    'No client with ad accounts is assigned to you yet. Ask a superuser to assign you, or begin with a blank report.',
  no_clients_external:
    'No ad account is available to you yet. Usually the permission has not been granted: please contact your service specialist.',
} as const
