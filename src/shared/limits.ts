/**
 * How much a report may hold. Beside the schemas, not among them: the interface says the limits without
 * loading a parser.
 */
export const limits = {
  channels: 10,
  accounts: 50,
  dimensions: 9,
  metrics: 60,
  filters: 20,
  filter_values: 100,
  blends: 10,
  /** A spreadsheet holds no more. */
  rows: 10_000_000,
  name: 120,
  view_name: 60,
  /** Versions of a report that are stored, the latest ones. */
  versions: 50,
  /** Some hundred reports as they are exported. */
  report_file_bytes: 256 * 1024,
} as const
