import type { Account } from '#sandbox/dataset/agency.ts'
import type { Ad } from '#sandbox/dataset/campaigns.ts'
import type { Metric } from '#sandbox/dataset/metrics.ts'
import type { Keyword } from '#sandbox/dataset/yahoo.ts'

export type Product = 'ly_search' | 'ly_display'
export type FieldType = 'LONG' | 'DOUBLE' | 'STRING' | 'ENUM'

/** What an attribute describes. */
export interface Subject {
  account: Account
  ad: Ad
  keyword: Keyword | null
  today: number
}

/** What a metric is computed from. */
export interface Figures {
  counts: Float64Array
  reach: number
  /** What the row is about, as text: shares of what was possible are drawn from it. */
  subject: string
}

export interface Field {
  name: string
  en: string
  ja: string
  xml: string
  type: FieldType
  conflicts: readonly string[]
  filterable: boolean
  attribute?: (subject: Subject) => string | number
  segment?: true
  metric?: { needs: readonly Metric[]; value(figures: Figures): number | null; is_share: boolean }
}
