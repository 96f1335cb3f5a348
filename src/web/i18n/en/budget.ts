/** How large a table will be, and what is left of a spreadsheet's cells. */
export const budget = {
  title: 'Size of the table',
  columns_one: '{{count}} column',
  columns_other: '{{count}} columns',
  rows: '{{rows}} rows × {{columns}} columns, with the header {{cells}} cells',
  rows_about: 'About {{rows}} rows × {{columns}} columns, with the header {{cells}} cells',
  unknown: 'How many rows there are depends on the data.',
  from: {
    part: 'Worked out from the first days.',
    last_run: 'As many as in the last table.',
  },
  meter: 'Cells of the spreadsheet in use',
  used: 'The spreadsheet then has {{total}} of 10,000,000 cells ({{share}}); empty ones count.',
  growth: 'Its sheet grows by {{cells}} for the table.',
  over: 'That is {{cells}} more than a spreadsheet holds: a run would refuse to write. Reduce the data.',
  largest: 'The largest sheet is “{{title}}” with {{cells}} cells.',
  savings: 'What would make room',
  saving: {
    no_zeros: 'Without filling with 0: {{cells}} cells',
    half_range: 'Half as many days: about {{cells}} cells',
    trim_columns_one: 'Deleting {{count}} unused column of “{{title}}”: about {{cells}} cells',
    trim_columns_other: 'Deleting {{count}} unused columns of “{{title}}”: about {{cells}} cells',
    trim_rows_one: 'Deleting {{count}} empty row at the end of “{{title}}”: {{cells}} cells',
    trim_rows_other: 'Deleting {{count}} empty rows at the end of “{{title}}”: {{cells}} cells',
  },
} as const
