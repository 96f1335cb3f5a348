import type { TimeGrain } from '#server/connectors/connector.ts'
import type { Slice } from '#server/connectors/kit/slices.ts'
import type { ColumnSpec } from './columns.ts'
import { timeParams } from './ranges.ts'

/** What is asked of one account, whatever the days. */
export interface Insights {
  /** The account's bare number. */
  account: string
  time: TimeGrain
  /** Everything but the days and the page. */
  params: Readonly<Record<string, string>>
  wanted: ColumnSpec
  /** Whether an account of ordinary size can have more rows than a synchronous answer should. */
  may_be_large: boolean
  /** Whether these days can only be asked for asynchronously. */
  mustWait: (slices: Slice[]) => boolean
}

export const paramsOf = ({ params, time }: Insights, slices: Slice[]) => ({
  ...params,
  ...timeParams(slices, time),
})
