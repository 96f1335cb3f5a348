/** The built-in spreadsheets. */
export const sheets = {
  title: 'Spreadsheets',
  detail: 'The spreadsheets built into Sheetcast. Reports write to them as they would to Google’s.',
} as const
