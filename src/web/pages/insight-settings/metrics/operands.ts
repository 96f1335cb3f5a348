import { channelNames, type Channel, type Metric } from '#shared/channels/catalogue.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { isFormula, operandsOf, readFormula, type Formula } from '#shared/formula.ts'
import { whyNotFormula, type FormulaUnit } from '#shared/formula-units.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'

/** What can be written into a formula: the metrics of a channel that are numbers. */
export interface PaletteGroup {
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
        .filter(([id, metric]) => isNumber(metric) && isLike(words, id, metric))
        .map(([id, { names, explanation }]) => ({
          id,
          name: names[language],
          explanation: explanation[language],
        })),
    }))
    .filter(({ metrics }) => metrics.length > 0)
}

const isNumber = ({ unit }: Metric) => unit !== 'text'

function isLike(words: readonly string[], id: string, { names }: Metric) {
  const text = `${id} ${names.en} ${names['zh-TW']}`.toLowerCase()
  return words.every(word => text.includes(word))
}

/** The metrics of a formula that can be calculated with, in the channels that have them. */
const channelsWith = (metric: string) =>
  channelIds.filter(channel => {
    const found = metricIn(catalogueOf(channel), metric)
    return found !== undefined && isNumber(found)
  })

/** Those that have every metric of the formula. */
export const channelsOf = (formula: Formula): Channel[] => {
  const operands = operandsOf(formula)
  return channelIds.filter(channel => operands.every(({ metric }) => channelsWith(metric).includes(channel)))
}

export interface FormulaFault {
  code: 'formula_syntax' | 'formula_unknown' | 'formula_units' | 'no_channel' | 'no_metric'
  /** The place in the text. */
  at: number
  length: number
  detail: Record<string, string>
}

/** A formula as it is typed: what is wrong with it, or which channels offer it. */
export type Judged =
  | { formula: Formula; fault: null; channels: readonly Channel[] }
  | { formula: Formula | null; fault: FormulaFault; channels: readonly Channel[] }

/** Read as the server reads it. */
export function judge(text: string, unit: FormulaUnit): Judged {
  const read = readFormula(text)
  if (!isFormula(read))
    return { formula: null, fault: faultAt(read.code, { at: read.at, length: 1 }), channels: [] }
  const channels = channelsOf(read)
  const unitOf = ({ metric }: { metric: string }) => {
    const [channel] = channels.length > 0 ? channels : channelsWith(metric)
    return channel === undefined ? null : (metricIn(catalogueOf(channel), metric)?.unit ?? null)
  }
  const why = whyNotFormula(read, unit, unitOf)
  if (why) {
    const length = why.detail['metric']?.length ?? (why.detail['unit'] === undefined ? 1 : text.length)
    return { formula: read, fault: faultAt(why.code, { at: why.at, length, detail: why.detail }), channels }
  }
  const whole = { at: 0, length: text.length }
  if (operandsOf(read).length === 0)
    return { formula: read, fault: faultAt('no_metric', whole), channels: [] }
  if (channels.length === 0) return { formula: read, fault: faultAt('no_channel', whole), channels }
  return { formula: read, fault: null, channels }
}

const faultAt = (
  code: FormulaFault['code'],
  { at, length, detail = {} }: Pick<FormulaFault, 'at' | 'length'> & { detail?: Record<string, string> },
): FormulaFault => ({ code, at, length, detail })

/** What a metric is called, in the first channel of some that has it; null: in none. */
export function metricName(id: string, channels: readonly Channel[], language: Language): string | null {
  const channel = channels.find(each => metricIn(catalogueOf(each), id)) ?? channelsWith(id)[0]
  return channel === undefined ? null : (metricIn(catalogueOf(channel), id)?.names[language] ?? null)
}
