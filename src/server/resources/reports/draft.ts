import type { CreateReport } from '#shared/api/reports.ts'
import { dateRangeOf } from '#shared/date-range.ts'
import type { ReportTable } from './queries.ts'

/** The requested fields of a report. */
export type Draft = {
  [Field in Exclude<keyof CreateReport, 'folder'>]-?: Exclude<CreateReport[Field], undefined>
}

/** The stored ones of a report. */
export function draftOf(report: ReportTable): Draft {
  return {
    name: report.name,
    spreadsheet_url: report.spreadsheet_url,
    sheet_name: report.sheet_name,
    start_cell: report.start_cell,
    timezone: report.timezone,
    header_language: report.header_language,
    arrangement: report.arrangement,
    fill_zero: report.fill_zero,
    format_table: report.format_table,
    sort: report.sort,
    limit: report.limit,
    currency: report.currency,
    comparison: report.comparison,
    note: report.note,
    blends: report.blends,
    dimensions: report.dimensions,
    channels: report.channels,
    date_range: dateRangeOf(report),
    update_frequency: report.update_frequency,
    update_time: report.update_time,
    update_day_of_week: report.update_day_of_week,
    update_day_of_month: report.update_day_of_month,
  }
}
