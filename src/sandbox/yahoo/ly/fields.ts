import { slotOf } from '#sandbox/dataset/metrics.ts'
import { ATTRIBUTES, REPORT_TYPES, SEGMENTS } from './attributes.ts'
import { DISPLAY_METRICS, REACH_METRICS } from './display-metrics.ts'
import type { Field, Figures, Product } from './field.ts'
import type { MetricLine } from './metric-line.ts'
import { SEARCH_METRICS } from './search-metrics.ts'

// The fields of the reports: names in both languages, types, and what cannot be combined, as the platform
// lists them for each report type.

const METRICS_OF: Record<Product, (reportType: string) => MetricLine[]> = {
  ly_search: reportType =>
    SEARCH_METRICS.filter(
      ({ name }) =>
        (name !== 'INVALID_CLICKS' || reportType === 'CAMPAIGN' || reportType === 'ACCOUNT') &&
        (name !== 'HISTORICAL_QUALITY_SCORE' || reportType === 'KEYWORDS') &&
        (name !== 'BUDGET_LOST_IMPRESSION_SHARE' || reportType === 'CAMPAIGN' || reportType === 'ACCOUNT'),
    ),
  ly_display: reportType => (reportType === 'REACH' ? REACH_METRICS : DISPLAY_METRICS),
}

/** The fields of a report type, in the platform's order; null when it does not know the type. */
export function fieldsOf(product: Product, reportType: string): Field[] | null {
  const levels = REPORT_TYPES[product][reportType]
  if (!levels) return null
  const attributes = ATTRIBUTES[product]
    .filter(([level]) => levels.includes(level))
    .map(([, name, en, ja, xml, type, attribute]) => ({
      name,
      en,
      ja,
      xml,
      type,
      attribute,
      conflicts: [],
      filterable: true,
    }))
  const segments = SEGMENTS[product]
    .filter(([name]) => reportType !== 'REACH' || name !== 'DEVICE')
    .map(([name, en, ja, xml, type]) => ({
      name,
      en,
      ja,
      xml,
      type,
      segment: true as const,
      conflicts: name === 'MONTH' && product === 'ly_search' ? ['MONTH_OF_YEAR'] : [],
      filterable: name === 'DEVICE',
    }))
  const metrics = METRICS_OF[product](reportType).map(({ needs, value, is_share, ...line }) => ({
    ...line,
    filterable: is_share !== true,
    metric: {
      needs,
      is_share: is_share === true,
      value: (figures: Figures) => value(name => figures.counts[slotOf[name]] ?? 0, figures),
    },
  }))
  return bothWays([...attributes, ...segments, ...metrics])
}

/** Conflicts go both ways. */
function bothWays(fields: Field[]): Field[] {
  const known = new Set(fields.map(({ name }) => name))
  return fields.map(field => {
    const others = fields.filter(({ conflicts }) => conflicts.includes(field.name)).map(({ name }) => name)
    const conflicts = [...field.conflicts.filter(name => known.has(name)), ...others]
    return { ...field, conflicts: [...new Set(conflicts)].toSorted() }
  })
}
