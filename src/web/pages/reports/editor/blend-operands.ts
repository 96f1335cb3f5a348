import { catalogueOf } from '#shared/channels/all.ts'
import { blockLabels } from '#shared/headers.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'
import type { DraftBlock } from './draft.ts'
import { catalogueIn, type Known } from './known.ts'

/** Something to calculate with: the metric of a channel, or (null) of all channels that have it. */
export interface BlendOperand {
  /** As it is written in a formula. */
  id: string
  channel: string | null
  metric: string
}

/** A formula with the names of what it is worked out of; null: it has none of them. */
export function blendInWords(
  formula: string,
  operands: readonly BlendOperand[],
  nameOf: (operand: BlendOperand) => string,
): string | null {
  const words = formula.replaceAll(/(?<![\w.])(?:all|\d+)\.\w+/g, text => {
    const operand = operands.find(({ id }) => id === text)
    return operand ? nameOf(operand) : text
  })
  return words === formula ? null : words
}

/** The numbers of the channels by their names, first those that several have. */
export function blendOperands(
  channels: readonly DraftBlock[],
  { known, language }: { known: Known; language: Language },
): BlendOperand[] {
  const labels = blockLabels(channels, language, catalogueOf)
  const single = channels.flatMap((block, index) => {
    const catalogue = catalogueIn(block, known)
    return block.metrics.flatMap(of => {
      const metric = metricIn(catalogue, of)
      if (!metric || metric.unit === 'text' || metric.kind === 'calculated') return []
      return { of, id: `${index + 1}.${of}`, channel: labels[index] ?? '', metric: metric.names[language] }
    })
  })
  const several = [...Map.groupBy(single, ({ of }) => of).entries()].flatMap(([of, [first, ...others]]) =>
    first && others.length > 0 ? [{ id: `all.${of}`, channel: null, metric: first.metric }] : [],
  )
  return [...several, ...single.map(({ id, channel, metric }) => ({ id, channel, metric }))]
}
