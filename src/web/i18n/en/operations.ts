/** The operator's page. */
export const operations = {
  title: 'Operations',
  detail: 'How all processes together are doing. Looked at again every five seconds.',
  none: 'None',
  warning: {
    shared_address: {
      title: 'All visitors seem to have one address',
      detail:
        'The product is reached over https, but TRUST_PROXY is 0: the limits count the address of the proxy in front, so one visitor who guesses passwords locks everybody out. Set TRUST_PROXY to the number of proxies and restart.',
    },
  },
  tile: {
    waiting: 'Waiting for a worker',
    oldest: 'the oldest for {{time}}',
    working: 'Under way',
    phases: '{{fetching}} fetching, {{writing}} writing',
    resting: 'Resting',
    resting_detail: 'for a quota, a platform, the next attempt',
    ended: 'Ended in the last hour',
    outcomes: '{{completed}} completed, {{failed}} failed',
    waited: 'Wait before the start, median',
    took: 'From start to end, median',
    p95: '95% within {{time}}',
  },
  wait: {
    under_second: 'under 1 s',
    seconds: '{{seconds}} s',
    minutes: '{{minutes}} min',
    hours: '{{hours}} h',
  },
  failures: {
    title: 'Failures of the last 24 hours',
    none: 'No run has failed in the last 24 hours',
    code: 'Code',
    runs: 'Runs',
    reports: 'Reports',
    last: 'Last',
  },
  quotas: {
    title: 'Quotas that hold runs up',
    none: 'No quota holds anything up',
    scope: 'Quota',
    wait: 'Next turn in',
    why: 'Because',
    told: 'we were told to wait',
    runs: 'Runs in line',
    own: 'our own pace keeps below the limit',
    full: 'no more may ask at the same time',
  },
  coming: {
    title: 'Due in the next 24 hours',
    none: 'Nothing is scheduled for the next 24 hours',
    at: 'Quarter hour',
    runs: 'Runs',
    share: 'Beside the busiest',
  },
  workers: {
    title: 'Workers with runs in hand',
    none: 'No worker has a run in hand',
    worker: 'Machine and process',
    runs: 'Runs',
  },
  answers:
    'Answers of platforms in the last hour: {{asked}} asked for, {{shared}} shared; {{kept}} kept, {{megabytes}} MB.',
  system_users: {
    title: 'System users',
    system_user: 'Shared with',
    gone: 'no longer configured',
    load: 'Last minute: {{writes}} writes, {{project_writes}} with all of project {{project}}. Runs in line: {{waiting}}',
    spreadsheets: 'Spreadsheets',
  },
  database: 'Database: {{megabytes}} MB, {{sessions}} sessions.',
} as const
