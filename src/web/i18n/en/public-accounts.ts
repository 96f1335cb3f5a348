/** The agency's shared logins to the platforms. */
export const public_accounts = {
  title: 'Public accounts',
  detail:
    'The logins with which Sheetcast asks the platforms. What a login holds is sealed and never shown again.',
  search: 'Search by name or platform',
  list_separator: ', ',
  actions_of: 'Actions for {{name}}',
  column: {
    name: 'Login',
    test: 'Last test',
    fields: 'Filled in',
    expires: 'Expires',
    accounts: 'Accounts',
    menu: 'Actions',
  },
  empty: {
    title: 'No platform is connected yet',
    detail:
      'Connect one with the login that your agency has there: its accounts are imported, and reports can be made of them.',
    search_title: 'No login is called like that',
    search_clear: 'Clear the search',
  },
  action: {
    test: 'Test connection',
    import: 'Import accounts',
    replace: 'Replace login',
    rename: 'Rename',
    delete: 'Delete',
  },
  ask_failed: '{{name}}: this could not be done.',
  pending: { test: 'Testing…', import: 'Importing accounts…' },
  test: {
    seen_one: 'Sees at least 1 account',
    seen_other: 'Sees at least {{count}} accounts',
    never: 'Not tested',
    ok: 'Connected',
    later: 'No answer',
    failed: 'Refused',
  },
  import: {
    done: '{{name}}: {{accounts}} accounts imported, {{added}} of them new.',
  },
  expires: { unknown: '–', over: 'Expired' },
  connect: { title: 'Connect a platform', submit: 'Connect' },
  form: {
    platform: 'Platform',
    platform_choose: 'Choose a platform',
    name: 'Name',
    name_hint: 'What it is called here, for example whose login it is.',
    way: 'Sign in with',
    long_hint: 'Paste the whole content of the file.',
    expires: 'Expires on',
    expires_hint: 'If the platform says so. You see in the list how long it still lasts.',
  },
  replace: {
    title: 'Replace the login of “{{name}}”',
    submit: 'Replace login',
    done: 'The login of {{name}} has been replaced.',
  },
  rename: { title: 'Rename login', submit: 'Rename' },
  delete: {
    title: 'Delete “{{name}}”?',
    detail_unused: 'No account is asked with it. The login cannot be brought back.',
    detail_one:
      '1 account loses its connection: reports leave it out until another login imports it. The login cannot be brought back.',
    detail_other:
      '{{count}} accounts lose their connection: reports leave them out until another login imports them. The login cannot be brought back.',
    done: '{{name}} has been deleted.',
  },
} as const
