import type { MetaFault } from '#sandbox/control/faults.ts'
import type { Dataset } from '#sandbox/dataset/dataset.ts'
import type { Caller } from './access.ts'
import type { Terms } from './audiences/terms.ts'
import type { Parameters } from './parameters.ts'

/** One request to the Graph API, understood as far as every endpoint needs it. */
export interface GraphRequest {
  version: string
  method: 'GET' | 'POST' | 'DELETE'
  /** The path after the version. */
  path: string[]
  parameters: Parameters
  caller: Caller
  dataset: Dataset
  now: number
  /** The faults that hit this request. */
  faults: MetaFault[]
  /** Which accounts' terms of custom audiences are accepted. */
  terms: Terms
  /** Says for the log how much the body holds: of people it never says more. */
  count(counts: Record<string, number>): void
  /** The URL of this request with other cursors, for paging; contains the token, as at Meta. */
  link(cursor: Record<string, string>): string
}
