/** Where a report writes to: the spreadsheet section of the editor, and the permission settings. */
export const target = {
  title: 'Permission settings',
  detail: 'Where “{{name}}” writes its table, and whether it may.',
  url: 'Spreadsheet address',
  url_hint: 'Paste the address from the browser, in any form, or the id.',
  url_placeholder: 'https://docs.google.com/spreadsheets/d/…',
  sheet_name: 'Sheet',
  sheet_name_placeholder: 'Choose a sheet',
  sheet_hidden: 'hidden',
  sheet_gone: '{{name}} (renamed or deleted)',
  sheet_colon: '{{name}} (has a half-width colon)',
  sheet_later: 'The sheets are listed when the spreadsheet can be opened.',
  start_cell: 'Starting cell',
  start_cell_hint: 'The upper left corner of the table, such as A1.',
  place: 'The table begins in {{cell}}. Nothing outside of the table is touched.',
  open: 'Open the spreadsheet',
  use_new_name: 'Use the new name, “{{name}}”',
  new_sheet: {
    open: 'Create a new sheet',
    title: 'New sheet',
    name: 'Sheet name',
    hint: 'It stands behind the other sheets, empty.',
    submit: 'Create',
    name_required: 'Please enter a name.',
  },
  map: {
    mine: 'Table',
    lands: 'The table will stand in {{range}}: {{rows}} rows with the header, {{columns}} columns.',
    lands_about:
      'The table will stand in about {{range}}: {{rows}} rows with the header, {{columns}} columns.',
    lands_unknown:
      'The table will begin in {{range}} and have {{columns}} columns; how many rows there are depends on the data.',
    free: 'Nothing else stands there.',
    of_report: 'the table of “{{name}}”',
    another: 'the table of another report',
    table: 'It would cover {{told}} in {{range}}. A run refuses to write over it.',
    table_planned: 'It would cover the place of {{told}}, which will be written to {{range}}.',
    protected:
      'It reaches into a protected range, {{range}}{{description}}. The owner of the spreadsheet must let the system user edit it.',
    content_one: 'It would replace a filled cell of yours in {{range}}.',
    content_other: 'It would replace {{count}} filled cells of yours in {{range}}.',
    named: 'The named range “{{name}}”, {{range}}, lies in it.',
    looking: 'What stands on the sheet could not be looked at yet: the spreadsheet service is busy.',
    part: 'Of this large sheet only {{range}} was looked at.',
    move: 'Begin in {{cell}}',
  },
  drawing: { editor: 'Editor', share: 'Send' },
  help: {
    not_shared: {
      internal:
        'If sharing is refused there, the client’s organisation does not allow outside addresses: their administrator can make an exception for this one.',
      external:
        'If sharing is refused there, your organisation does not allow outside addresses: ask your administrator to make an exception, or contact your service specialist.',
    },
    not_editor: {
      internal:
        'In the spreadsheet under Share, change its role from Viewer to Editor. A locked file must be unlocked first.',
      external:
        'In the spreadsheet under Share, change its role from Viewer to Editor. A locked file must be unlocked first.',
    },
    unreachable: {
      internal: 'If it lasts, look at the status page of the spreadsheet service, then contact the PM.',
      external: 'If it lasts, please contact your service specialist.',
    },
  },
  result: {
    none: 'No spreadsheet yet.',
    checking: 'Checking the permissions…',
    ok: 'The system user may write to this spreadsheet.',
    ok_titled: '“{{title}}” can be written to.',
    not_shared: 'The spreadsheet is not shared with the system user.',
    not_editor: 'The system user can only view the spreadsheet. Please make it an Editor.',
    proof_required: 'Please show that this spreadsheet is yours.',
    proof_lost:
      'Nobody on your side is known to edit this spreadsheet any more, so nothing is written there. Please show again that it is yours.',
    whose: 'This spreadsheet is yours. Please choose the client that it is for.',
    sheet_name_mismatch: 'The sheet was renamed or deleted. Choose it again below.',
    sheet_name_colon:
      'The sheet name contains a half-width colon. Rename the sheet in the spreadsheet, then choose it again.',
    not_a_spreadsheet:
      'This is not the address of a spreadsheet. An Office file must be saved as a Google spreadsheet first.',
    unreachable:
      'The spreadsheet service does not answer right now. Your settings are kept; check again in a moment.',
  },
  why_proof:
    'The system user may edit it, but your address is neither its owner nor an editor. Type this code into any empty cell, then check again. You may delete it afterwards.',
  code: 'Your code',
  whose: {
    why: 'You belong to several clients. Reports of the one that you choose may write there, those of the others may not.',
    label: 'Client',
    placeholder: 'Choose a client',
    submit: 'Use it for this client',
  },
  check_again: 'Check again',
  steps: {
    title: 'How to share it',
    copy: 'Copy the address of the system user',
    share: 'Share the spreadsheet with it',
    share_detail: 'In the spreadsheet: Share, paste the address, choose Editor, send.',
    check: 'Check again',
    check_detail: 'It works at once; nothing has to be saved before.',
    paste: 'Paste its address',
    paste_detail: 'Paste the address of the spreadsheet above; it is checked at once.',
  },
  checks: {
    title: 'What was checked',
    address: 'The address names a spreadsheet',
    shared: 'It is shared with the system user',
    editor: 'The system user is an Editor',
    proof: 'It is proven to be yours',
    sheet: 'The sheet is there',
    cell: 'The starting cell is set',
    ok: 'fine',
    open: 'not known yet',
    wrong: {
      address: 'not a spreadsheet',
      shared: 'not shared yet',
      editor: 'may only view',
      proof: 'not proven yet',
      sheet: 'missing',
      cell: 'missing',
    },
  },
  save: 'Save',
  saved: 'The report has been saved.',
  back: 'Edit the whole report',
  only_viewer: 'You may look at this report, but not change it.',
} as const
