/** The agency's shared logins to the platforms. */
export const public_accounts = {
  title: 'Public accounts',
  detail:
    'Shared logins that Sheetcast uses to get data from the platforms. They are encrypted and never shown again.',
  search: 'Search by name or platform',
  actions_of: 'Actions for {{name}}',
  column: {
    name: 'Shared login',
    test: 'Last test',
    fields: 'Fields',
    expires: 'Expires',
    accounts: 'Accounts',
    menu: 'Actions',
  },
  empty: {
    title: 'No platform is connected yet',
    detail:
      'Connect a platform with your agency’s login. Its accounts are imported and can be used in reports.',
    search_title: 'No matching logins',
    search_clear: 'Clear search',
  },
  action: {
    test: 'Test connection',
    import: 'Import accounts',
    replace: 'Replace login',
    rename: 'Rename',
    delete: 'Delete',
  },
  ask_failed: '{{name}}: the request failed.',
  pending: { test: 'Testing…', import: 'Importing accounts…' },
  test: {
    seen_one: 'Sees at least 1 account',
    seen_other: 'Sees at least {{count}} accounts',
    never: 'Not tested',
    ok: 'Connected',
    later: 'No response',
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
    name_hint: 'A name for this login, for example whose it is.',
    way: 'Sign in with',
    long_hint: 'Paste the full content of the file.',
    expires: 'Expires on',
    expires_hint: 'If the platform shows one. The list shows how much time is left.',
  },
  replace: {
    title: 'Replace the login of “{{name}}”',
    submit: 'Replace login',
    done: 'Login of {{name}} replaced.',
  },
  rename: { title: 'Rename login', submit: 'Rename' },
  delete: {
    title: 'Delete “{{name}}”?',
    detail_unused: 'No accounts use this login. It cannot be restored.',
    detail_one:
      '1 account will lose its connection. Reports leave it out until it is imported with another login. The login cannot be restored.',
    detail_other:
      '{{count}} accounts will lose their connection. Reports leave them out until they are imported with another login. The login cannot be restored.',
    done: '{{name}} deleted.',
  },
} as const
