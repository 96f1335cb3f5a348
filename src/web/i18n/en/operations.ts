/** The operator's page. */
export const operations = {
  title: 'Operations',
  detail: 'The status of all processes. Updates every five seconds.',
  none: 'None',
  warning: {
    shared_address: {
      title: 'All visitors seem to have the same address',
      detail:
        'Sheetcast is reached over https, but TRUST_PROXY is 0, so sign-in limits count the address of the proxy. One visitor guessing passwords could lock everybody out. Set TRUST_PROXY to the number of proxies and restart.',
    },
  },
  tile: {
    waiting: 'Waiting for a worker',
    oldest: 'oldest: {{time}}',
    working: 'In progress',
    phases: '{{fetching}} fetching, {{writing}} writing',
    resting: 'Paused',
    resting_detail: 'for a quota, a platform or the next attempt',
    ended: 'Finished in the last hour',
    outcomes: '{{completed}} completed, {{failed}} failed',
    waited: 'Wait before start (median)',
    took: 'Duration (median)',
    p95: '95% within {{time}}',
  },
  wait: {
    under_second: 'under 1 s',
    seconds: '{{seconds}} s',
    minutes: '{{minutes}} min',
    hours: '{{hours}} h',
  },
  failures: {
    title: 'Failures in the last 24 hours',
    none: 'No failed runs in the last 24 hours',
    code: 'Code',
    runs: 'Runs',
    reports: 'Reports',
    last: 'Last',
  },
  quotas: {
    title: 'Quotas delaying runs',
    none: 'No quota is delaying runs',
    scope: 'Quota',
    wait: 'Available in',
    why: 'Reason',
    told: 'rate limited by the platform',
    runs: 'Runs waiting',
    own: 'slowed down to stay below the limit',
    full: 'too many requests at the same time',
  },
  coming: {
    title: 'Due in the next 24 hours',
    none: 'No runs are due in the next 24 hours',
    at: 'Time',
    runs: 'Runs',
    share: 'Share of the busiest',
  },
  workers: {
    title: 'Busy workers',
    none: 'No busy workers',
    worker: 'Host and process',
    runs: 'Runs',
  },
  answers:
    'Platform responses in the last hour: {{asked}} fetched, {{shared}} shared. {{kept}} cached, {{megabytes}} MB.',
  system_users: {
    title: 'System users',
    system_user: 'Shared with',
    gone: 'no longer configured',
    load: 'Last minute: {{writes}} writes, {{project_writes}} in project {{project}}. Runs waiting: {{waiting}}',
    spreadsheets: 'Spreadsheets',
  },
  database: 'Database: {{megabytes}} MB, {{sessions}} sessions.',
} as const
