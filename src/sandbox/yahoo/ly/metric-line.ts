import type { Metric } from '#sandbox/dataset/metrics.ts'
import { shareOf } from '#sandbox/dataset/yahoo.ts'
import type { Figures } from './field.ts'

// Helpers to write a line of a table of metrics.

export type Count = (metric: Metric) => number
export type MetricLine = {
  name: string
  en: string
  ja: string
  xml: string
  type: 'LONG' | 'DOUBLE'
  conflicts: readonly string[]
  needs: readonly Metric[]
  value(count: Count, figures: Figures): number | null
  is_share?: true
}

export const per = (left: number, right: number, times = 1) => (right === 0 ? 0 : (left / right) * times)
export const percent = (low: number, high: number, { subject }: Figures, what: string) =>
  Math.round((low + shareOf(subject, what) * (high - low)) * 100) / 100
export const impressionShare = (figures: Figures) => percent(18, 92, figures, 'share')
export const lostToBudget = (figures: Figures) =>
  Math.round((100 - impressionShare(figures)) * shareOf(figures.subject, 'budget') * 100) / 100
export const lostToRank = (figures: Figures) =>
  Math.round((100 - impressionShare(figures) - lostToBudget(figures)) * 100) / 100

export const metric = (
  [name, en, ja, xml, type]: [string, string, string, string, 'LONG' | 'DOUBLE'],
  conflicts: readonly string[],
  { needs, value }: { needs: readonly Metric[]; value: MetricLine['value'] },
): MetricLine => ({ name, en, ja, xml, type, conflicts, needs, value })

export const share = (
  [name, en, ja, xml]: [string, string, string, string],
  conflicts: readonly string[],
  value: (figures: Figures) => number,
): MetricLine => ({
  ...metric([name, en, ja, xml, 'DOUBLE'], conflicts, { needs: [], value: (_, figures) => value(figures) }),
  is_share: true,
})

export const VALUE: readonly Metric[] = ['web_purchase_value']
export const allValue = (count: Count) => count('web_purchase_value') + count('web_leads') * 500
