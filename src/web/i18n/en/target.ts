/** Where a report writes to: the spreadsheet section of the editor, and the permission settings. */
export const target = {
  title: 'Permission settings',
  detail: 'Where “{{name}}” writes its table, and whether it has permission.',
  url: 'Spreadsheet address',
  url_hint: 'Paste the address from your browser, or the spreadsheet ID.',
  url_placeholder: 'https://docs.google.com/spreadsheets/d/…',
  sheet_name: 'Tab',
  sheet_name_placeholder: 'Choose a tab',
  sheet_hidden: 'hidden',
  sheet_gone: '{{name}} (renamed or deleted)',
  sheet_colon: '{{name}} (has a half-width colon)',
  sheet_later: 'Tabs are listed once the spreadsheet can be opened.',
  start_cell: 'Starting cell',
  start_cell_hint: 'The top left cell of the table, such as A1.',
  place: 'The table starts at {{cell}}. Nothing outside the table is changed.',
  open: 'Open spreadsheet',
  use_new_name: 'Use the new name, “{{name}}”',
  new_sheet: {
    open: 'Create a new tab',
    title: 'New tab',
    name: 'Tab name',
    hint: 'An empty tab, added after the others.',
    submit: 'Create',
    name_required: 'Please enter a name.',
  },
  map: {
    mine: 'Table',
    lands: 'The table will fill {{range}}: {{rows}} rows including the header, {{columns}} columns.',
    lands_about:
      'The table will fill about {{range}}: {{rows}} rows including the header, {{columns}} columns.',
    lands_unknown:
      'The table will start at {{range}} and have {{columns}} columns. The number of rows depends on the data.',
    free: 'Nothing else is there.',
    of_report: 'the table of “{{name}}”',
    another: 'the table of another report',
    table: 'It would overlap {{owner}} in {{range}}. A run will not overwrite it.',
    table_planned: 'It would overlap {{range}}, where {{owner}} will be written.',
    protected:
      'It overlaps the protected range {{range}}{{description}}. The owner of the spreadsheet must allow the system user to edit it.',
    protected_named:
      'It overlaps the protected named range “{{name}}” ({{range}}). Delete it in the spreadsheet, or have its owner allow the system user to edit it.',
    content_one: 'It would overwrite {{count}} filled cell in {{range}}.',
    content_other: 'It would overwrite {{count}} filled cells in {{range}}.',
    named: 'It contains the named range “{{name}}” ({{range}}).',
    looking: 'The tab could not be checked yet: the spreadsheet service is busy.',
    part: 'This tab is large, so only {{range}} was checked.',
    move: 'Start at {{cell}}',
  },
  drawing: { editor: 'Editor', share: 'Send' },
  help: {
    not_shared: {
      internal:
        'If sharing is refused, the client’s organisation does not allow outside addresses. Their administrator can make an exception for this one.',
      external:
        'If sharing is refused, your organisation does not allow outside addresses. Ask your administrator to make an exception, or contact your service specialist.',
    },
    not_editor: {
      internal:
        'In the spreadsheet under Share, change its role from Viewer to Editor. A locked file must be unlocked first.',
      external:
        'In the spreadsheet under Share, change its role from Viewer to Editor. A locked file must be unlocked first.',
    },
    unreachable: {
      internal: 'If this continues, check the status page of the spreadsheet service, then contact the PM.',
      external: 'If this continues, please contact your service specialist.',
    },
  },
  result: {
    none: 'No spreadsheet yet.',
    checking: 'Checking permissions…',
    ok: 'The system user can write to this spreadsheet.',
    ok_titled: '“{{title}}” can be written to.',
    not_shared: 'The spreadsheet is not shared with the system user.',
    not_editor: 'The system user can only view the spreadsheet. Please make it an Editor.',
    proof_required: 'Please confirm that this spreadsheet is yours.',
    proof_lost:
      'Nobody on your side is known to be an editor of this spreadsheet any more, so nothing is written to it. Please confirm again that it is yours.',
    whose: 'This spreadsheet is confirmed as yours. Please choose the client it is for.',
    sheet_name_mismatch: 'The tab was renamed or deleted. Choose it again below.',
    sheet_name_colon:
      'The tab name contains a half-width colon. Rename the tab in the spreadsheet, then choose it again.',
    not_a_spreadsheet:
      'This is not the address of a spreadsheet. An Office file must be saved as a Google spreadsheet first.',
    unreachable:
      'The spreadsheet service is not responding right now. Your settings are kept. Check again in a moment.',
  },
  why_proof:
    'The system user can edit it, but your e-mail address is neither its owner nor an editor. Type this code into any empty cell, then check again. You can delete it afterwards.',
  code: 'Your code',
  whose: {
    why: 'You belong to several clients. Only reports of the client you choose can write to this spreadsheet.',
    label: 'Client',
    placeholder: 'Choose a client',
    submit: 'Use for this client',
  },
  check_again: 'Check again',
  create: { button: 'Create a spreadsheet for me' },
  share_now: {
    why: 'This spreadsheet is yours, but {{system_user}} cannot write to it yet.',
    button: 'Share it now',
  },
  steps: {
    title: 'How to share it',
    copy: 'Copy the address of the system user',
    share: 'Share the spreadsheet with it',
    share_detail: 'In the spreadsheet, press Share, paste the address, choose Editor and send.',
    check: 'Check again',
    check_detail: 'It takes effect immediately. You do not have to save first.',
    paste: 'Paste its address',
    paste_detail: 'Paste the address of the spreadsheet above. It is checked immediately.',
  },
  checks: {
    title: 'Checks',
    address: 'The address is a spreadsheet',
    shared: 'It is shared with the system user',
    editor: 'The system user is an Editor',
    proof: 'It is confirmed as yours',
    sheet: 'The tab exists',
    cell: 'The starting cell is set',
    ok: 'passed',
    open: 'not checked yet',
    wrong: {
      address: 'not a spreadsheet',
      shared: 'not shared yet',
      editor: 'view only',
      proof: 'not confirmed yet',
      sheet: 'missing',
      cell: 'missing',
    },
  },
  save: 'Save',
  saved: 'The report has been saved.',
  back: 'Edit report',
  only_viewer: 'You can view this report, but not change it.',
} as const
