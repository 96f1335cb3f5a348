/** How large a table will be, and what is left of a spreadsheet's cells. */
export const budget = {
  title: 'Table size',
  columns_one: '{{count}} column',
  columns_other: '{{count}} columns',
  rows: '{{rows}} rows × {{columns}} columns, {{cells}} cells including the header',
  rows_about: 'About {{rows}} rows × {{columns}} columns, {{cells}} cells including the header',
  written: 'As in the spreadsheet.',
  next: 'The next run would write {{rows}} rows.',
  unknown: 'The number of rows depends on the data.',
  from: {
    part: 'Estimated from the first days.',
    last_run: 'Same as in the last table.',
  },
  meter: 'Spreadsheet cells in use',
  used: 'The spreadsheet will then have {{total}} of 10,000,000 cells ({{share}}), including empty cells.',
  growth: 'Its tab grows by {{cells}} cells for the table.',
  over: 'That is {{cells}} more than a spreadsheet can hold, so a run would not write it. Reduce the data.',
  largest: 'The largest tab is “{{title}}” with {{cells}} cells.',
  savings: 'Ways to free up cells',
  saving: {
    no_zeros: 'Without filling with 0: {{cells}} cells',
    half_range: 'Half as many days: about {{cells}} cells',
    trim_columns_one: 'Deleting {{count}} unused column of “{{title}}”: about {{cells}} cells',
    trim_columns_other: 'Deleting {{count}} unused columns of “{{title}}”: about {{cells}} cells',
    trim_rows_one: 'Deleting {{count}} empty row at the end of “{{title}}”: {{cells}} cells',
    trim_rows_other: 'Deleting {{count}} empty rows at the end of “{{title}}”: {{cells}} cells',
  },
} as const
