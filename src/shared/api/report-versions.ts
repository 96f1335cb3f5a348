import { z } from 'zod'
import { Instant } from './list.ts'
import { CreateReport } from './reports.ts'

/** The parts of a report's settings, as a list of changes names them. */
export const reportParts = [
  'name',
  'channels_added',
  'channels_removed',
  'channels_order',
  'accounts',
  'metrics',
  'filters',
  'labels',
  'on_error',
  'conversion',
  'dimensions',
  'arrangement',
  'fill_zero',
  'format_table',
  'sort',
  'currency',
  'comparison',
  'note',
  'blends',
  'header_language',
  'date_range',
  'schedule',
  'timezone',
  'spreadsheet',
  'start_cell',
] as const
export type ReportPart = (typeof reportParts)[number]

/** A save of a report. */
export const ReportVersion = z.object({
  version: z.number().int(),
  saved_at: Instant,
  /** null: unknown, or somebody whom the caller may not see. */
  author_name: z.string().nullable(),
  /** The parts that differ from the save before; empty for the first one. */
  changed: z.array(z.enum(reportParts)),
  /** The version whose settings were restored by this save. */
  restores: z.number().int().nullable(),
  /** The report is as this version says. */
  is_current: z.boolean(),
})
export type ReportVersion = z.infer<typeof ReportVersion>

const { currency, comparison, note, blends } = CreateReport.shape

/** Everything that a save stores but the folder; earlier saves have none of the last ones. */
export const ReportSettings = CreateReport.omit({ folder: true })
  .required()
  .extend({ currency, comparison, note, blends })
export type ReportSettings = z.infer<typeof ReportSettings>

export const ReportVersionSettings = ReportVersion.extend({
  /** `spreadsheet_url` and `sheet_name` are empty where the target is hidden. */
  settings: ReportSettings,
  /** It wrote to another spreadsheet, which the caller does not control. */
  is_target_hidden: z.boolean(),
})
export type ReportVersionSettings = z.infer<typeof ReportVersionSettings>

/** `version` is that of the report as it was read, as in a change. */
export const RestoreVersion = z.strictObject({ version: z.number().int() })
