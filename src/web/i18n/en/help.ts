/** The help menu: pages, keys, sharing a spreadsheet, what is new. */
export const help = {
  page: {
    any: 'Press ? for the keyboard shortcuts, or report an issue if something does not work as you expect.',
    overview:
      'What ran today, what failed and how to fix it, and what is due next. Open a report by its name; a failure says what helps.',
    reports:
      'All reports in their folders. Select a report to edit it, or use its menu to run, copy, move, share or delete it. Select several to do so at once. Drag reports onto a folder to move them.',
    report_editor:
      'Choose a spreadsheet, channels with their accounts and metrics, the dimensions and the dates. The preview shows the first rows as they will be written. Nothing is written before you save and run.',
    permission_settings:
      'Where the report writes, and whether it may. Copy the address, share the spreadsheet with it as Editor, and check again.',
    run_history:
      'Each run of the report: when, how many rows, and what went wrong. Open one to see its steps, what changed since the run before, and to put its table back.',
    bulk_changes:
      'Change many reports at once: replace an account, copy all reports of a client, or extend those that end soon. You see what would change before you confirm, and can undo it.',
    sheets: 'The built-in spreadsheets. Reports write into them like into those of Google.',
    sheet: 'A spreadsheet as it is now. Scroll or type a cell to go there; share or download it at the top.',
    profile: 'Your contact details, notifications, password and sign-ins.',
    advertisers:
      'The customers that you serve. Open one for its accounts, members, fees and orders; filter for those without a fee agreement.',
    advertiser:
      'Everything about one customer: what it spends, who serves it, its accounts, fees and orders.',
    agents: 'Agencies that bring customers, with their commission. Select one to change it.',
    industries: 'What customers are in. Two that mean the same can be merged.',
    issuer:
      'How the agency stands on insertion orders, statements and requests for payment. Documents that have been sent keep what they had.',
    users: 'Who has an account, their roles, and the advertisers that they serve or belong to.',
    instructions:
      'What clients do at each platform so that the agency may read their accounts. Copy what they need, or print the page for them.',
    public_accounts:
      'The agency’s logins to the platforms. Test them, import their accounts, and renew them before they expire.',
    businesses:
      'The ad accounts of Meta’s business managers. Filter for what is urgent, select accounts to relate them to an advertiser, and open one for its details.',
    ec_spend:
      'What each advertiser spends and owes by month, in each billing currency. Open an advertiser for its channels and accounts, and a month to check, lock and bill it.',
    ec_month:
      'One month from the checks to the payments: work off what blocks it, compare it with the platforms’ invoices, lock it, and bill it.',
    insight_settings:
      'What numbers mean in every report: metrics of your own, what counts as a conversion, how columns are called, and the monthly exchange rates.',
    audit: 'Who did what, and what it changed.',
    operations: 'What runs are waiting for, how full the quotas are, and which workers are there.',
    audience_lists:
      'Lists of people to share with ad accounts. Create one, upload a file or choose a site, and share it; open one by its name to see each share.',
    target_audiences: 'A persona described once, and how each platform sees it: copy it as a brief.',
    links:
      'Links with campaign parameters that GA4 reports as you mean it. Choose a preset, check the link, and copy it or its QR code.',
    sites: 'The sites of advertisers with their pixels; audiences and links refer to them.',
    publishers: 'The media that campaigns are booked with, and whom to call there.',
    images: 'Creatives, and which platforms take them as they are.',
    files: 'Briefs, videos and other files of campaigns.',
    mailbox: 'The e-mails that the demo would send.',
    support: 'The issues that were reported. Open one to read or answer it.',
  },
  sharing: {
    copy: 'Copy the address of the system user.',
    share: 'Open your spreadsheet, choose Share, paste the address and give it the role Editor.',
    paste: 'Paste the link of the spreadsheet into the report. It is checked at once.',
  },
  keys_off: 'Single-key shortcuts are switched off in this browser.',
  switch_off: 'Switch off single-key shortcuts',
  switch_on: 'Switch on single-key shortcuts',
  sequence: 'then',
  where: {
    anywhere: 'Anywhere',
    pages: 'Go to a page',
    editor: 'Report editor',
    folders: 'Folders',
    sheets: 'Spreadsheets',
    charts: 'Charts',
  },
  does: {
    palette: 'Search reports, folders and pages',
    search: 'Search this page',
    new_report: 'New report',
    help: 'Show these shortcuts',
    close: 'Close what is open',
    save: 'Save',
    undo: 'Undo',
    redo: 'Redo',
    reorder: 'Move a dimension or channel',
    move: 'Previous or next folder',
    unfold: 'Expand or collapse',
    open: 'Open folder',
    rename: 'Rename folder',
    delete: 'Delete folder',
    menu: 'Menu of the folder',
    cell: 'Previous or next cell',
    screen: 'One screen up or down',
    ends: 'First or last cell',
    point: 'Previous or next value',
  },
  news: {
    version: 'Version {{version}}',
    help: 'Help and keyboard shortcuts are at the top of every page. Press ? to see all keys.',
    issues:
      'Issues are reported over the page you are on, and you can add to them later. The bell leads to the answer.',
    specialist: 'Messages to clients name the person at the agency who can help.',
    escape: 'Esc closes one thing at a time, and a form with text in it asks before it closes.',
    offline: 'Messages say when you are offline, and when the server cannot be reached.',
  },
} as const
