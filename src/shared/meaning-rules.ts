import type { Block } from './api/reports.ts'
import type { MeantConversion } from './block-catalogue.ts'
import type { Violation } from './block-rules.ts'
import type { ChannelCatalogue, Dimension } from './channels/catalogue.ts'
import { measuresOf, metricIn } from './metrics.ts'

interface MeaningSubject {
  index: number
  block: Pick<Block, 'channel' | 'metrics' | 'conversion'>
  dimensions: readonly Dimension[]
  /** The catalogue as the block means it. */
  catalogue: ChannelCatalogue
  accounts: readonly { currency: string }[]
}

/** Why a block cannot be counted by its definition, or its money not be converted. */
export function whyNotMeant(
  subject: MeaningSubject,
  { conversion, currency }: { conversion: MeantConversion | null; currency: string | null },
): Violation[] {
  const { index, block, catalogue } = subject
  const { channel } = block
  const path = `channels.${index}.conversion`
  const isUnknown = (block.conversion ?? null) !== null && conversion === null
  const lacksActions =
    catalogue.actions === undefined &&
    (conversion?.entries.some(entry => entry.channel === channel && 'action' in entry) ?? false)
  return [
    ...(isUnknown || lacksActions ? [combination(path, { reason: 'conversion_not_offered', channel })] : []),
    ...(currency === null ? [] : moneyWithoutMonth(subject, currency)),
  ]
}

/** What is not summed has one rate only where each row is of one month. */
function moneyWithoutMonth(
  { index, block, dimensions, catalogue, accounts }: MeaningSubject,
  currency: string,
): Violation[] {
  if (dimensions.includes('month') || dimensions.includes('date')) return []
  if (accounts.every(account => account.currency === currency)) return []
  return block.metrics.flatMap(metric => {
    const isSingle = measuresOf(catalogue, metric).some(id => {
      const measure = metricIn(catalogue, id)
      return measure?.kind === 'non_additive' && measure.unit === 'money'
    })
    if (!isSingle) return []
    const detail = { metric, channel: block.channel, remove: [metric], add: ['month', 'date'] }
    return combination(`channels.${index}.metrics`, { reason: 'money_without_month', ...detail })
  })
}

const combination = (path: string, detail: Violation['detail']): Violation => ({
  code: 'combination_not_allowed',
  path,
  detail,
})
