import type { CalculatedMetric } from '#shared/api/insight-settings.ts'
import { faultOf } from './operands.ts'

/** A metric while it is being edited: its formula may be none yet. */
export type MetricDraft = Pick<
  CalculatedMetric,
  'advertiser' | 'name' | 'name_zh' | 'explanation' | 'formula' | 'unit' | 'decimals' | 'is_active'
>

export const newMetric = (advertiser: number | null): MetricDraft => ({
  advertiser,
  name: '',
  name_zh: '',
  explanation: '',
  formula: '',
  unit: 'ratio',
  decimals: 2,
  is_active: true,
})

export const metricDraft = (metric: CalculatedMetric): MetricDraft => ({
  advertiser: metric.advertiser,
  name: metric.name,
  name_zh: metric.name_zh,
  explanation: metric.explanation,
  formula: metric.formula,
  unit: metric.unit,
  decimals: metric.decimals,
  is_active: metric.is_active,
})

/** Whether it can be sent. */
export const isWhole = ({ name, name_zh: nameZh, formula, unit }: MetricDraft) =>
  name.trim() !== '' && nameZh.trim() !== '' && faultOf(formula, unit) === null
