import { catalogueOf } from '#shared/channels/all.ts'
import { channelNames, type Channel, type Metric } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { unitOf, whyNotCalculated } from '#shared/formula-channels.ts'
import type { FormulaUnit } from '#shared/formula-units.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'

/** What can be written into a formula: the metrics of a channel that are numbers. */
interface PaletteGroup {
  channel: Channel
  name: string
  metrics: readonly { id: string; name: string; explanation: string }[]
}

/** All of them by channel, as far as every word of a search is in the id or a name. */
export function paletteOf(search: string, language: Language): PaletteGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return channelIds
    .map(channel => ({
      channel,
      name: channelNames[channel][language],
      metrics: Object.entries(catalogueOf(channel).metrics)
        .filter(([id, metric]) => metric.unit !== 'text' && isLike(words, id, metric))
        .map(([id, { names, explanation }]) => ({
          id,
          name: names[language],
          explanation: explanation[language],
        })),
    }))
    .filter(({ metrics }) => metrics.length > 0)
}

function isLike(words: readonly string[], id: string, { names }: Metric) {
  const text = `${id} ${names.en} ${names['zh-TW']}`.toLowerCase()
  return words.every(word => text.includes(word))
}

/** Why a text is no formula, and the place in it that is marked. */
export interface FormulaFault {
  why:
    | { kind: 'unfinished' | 'mixed' | 'no_money' }
    | { kind: 'syntax'; found: string; place: number }
    | { kind: 'unknown' | 'apart'; metric: string }
  at: number
  length: number
}

/** As the server judges it; null: it is a formula. */
export function faultOf(formula: string, unit: FormulaUnit): FormulaFault | null {
  const problem = whyNotCalculated({ formula, unit })
  if (problem === null) return null
  const { at } = problem
  switch (problem.code) {
    case 'formula_syntax': {
      const found = formula.slice(at, at + 1)
      const isAtEnd = formula.slice(at).trim() === ''
      const why = isAtEnd
        ? { kind: 'unfinished' as const }
        : { kind: 'syntax' as const, found, place: at + 1 }
      return { why, at, length: 1 }
    }
    case 'formula_unknown': {
      const metric = problem.detail['metric'] ?? ''
      const isSomewhere = channelIds.some(channel => ![null, 'text'].includes(unitOf(channel, metric)))
      return { why: { kind: isSomewhere ? 'apart' : 'unknown', metric }, at, length: metric.length }
    }
    case 'formula_units':
      return problem.detail['operator'] === undefined
        ? { why: { kind: 'no_money' }, at: 0, length: formula.length }
        : { why: { kind: 'mixed' }, at, length: 1 }
  }
}

/** What a metric is called, in the first of some channels that has it; null: in none of them. */
export function metricName(id: string, channels: readonly Channel[], language: Language): string | null {
  const channel = channels.find(each => metricIn(catalogueOf(each), id))
  return channel === undefined ? null : (metricIn(catalogueOf(channel), id)?.names[language] ?? null)
}
