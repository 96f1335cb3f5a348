import { fieldsOf, type ColumnSpec } from './columns.ts'
import { levels } from './fields.ts'
import type { Part } from './ranges.ts'

/** What is requested of one account, whatever the days. */
export interface ReportQuery {
  account: string
  report_type: 'BASIC' | 'AUDIENCE'
  spec: ColumnSpec
}

/** Entities by id: TikTok knows no filter that surely keeps every name that ours keeps. */
export interface Narrowing {
  field: 'campaign_ids' | 'adgroup_ids'
  ids: string[]
}

/** The parameters that synchronous reports and report tasks share. */
export const paramsOf = ({ account, report_type, spec }: ReportQuery, part: Part) => ({
  advertiser_id: account,
  service_type: 'AUCTION',
  report_type,
  data_level: levels[spec.level].data_level,
  ...fieldsOf(spec, part.by_day),
  start_date: part.start,
  end_date: part.end,
})

/** The value of a filter is a text that holds a JSON array. */
export const inList = (field_name: string, values: string[]) => ({
  field_name,
  filter_type: 'IN',
  filter_value: JSON.stringify(values),
})
