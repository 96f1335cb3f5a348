import { whyNotAsk, type Violation } from '#shared/block-rules.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions as allDimensions, type Dimension } from '#shared/channels/catalogue.ts'
import type { Draft } from './draft.ts'
import { catalogueIn, type Known } from './known.ts'

type Blocks = Pick<Draft, 'channels' | 'dimensions'>

/** Dimensions that are not chosen yet: those that some channel of the report has, and the others. */
export function choicesOf({ channels, dimensions }: Blocks): { offered: Dimension[]; others: Dimension[] } {
  const ofBlocks = new Set(channels.flatMap(block => catalogueOf(block.channel).dimensions))
  const rest = every.filter(dimension => !dimensions.includes(dimension))
  if (channels.length === 0) return { offered: rest, others: [] }
  return {
    offered: rest.filter(dimension => ofBlocks.has(dimension)),
    others: rest.filter(dimension => !ofBlocks.has(dimension)),
  }
}

/** The refusals that one more dimension would add. */
export function newRefusal(draft: Blocks, dimension: Dimension, known: Known): Violation | undefined {
  const before = refusals(draft, draft.dimensions, known).map(refusal => JSON.stringify(refusal))
  return refusals(draft, [...draft.dimensions, dimension], known).find(
    refusal => !before.includes(JSON.stringify(refusal)),
  )
}

/** The chosen dimensions that a block cannot be split by. */
export const refusedDimensions = (draft: Blocks, known: Known): string[] =>
  refusals(draft, draft.dimensions, known)
    .filter(({ path }) => path === 'dimensions')
    .flatMap(({ detail }) => detail.remove ?? [])

const isDimension = (name: string): name is Dimension => Object.hasOwn(allDimensions, name)
const every = Object.keys(allDimensions).filter(isDimension)

const refusals = ({ channels }: Blocks, dimensions: Dimension[], known: Known) =>
  channels.flatMap((block, index) =>
    whyNotAsk({
      index,
      block,
      dimensions,
      catalogue: catalogueIn(block, known),
      accounts: known.accounts.filter(({ id }) => block.accounts.includes(id)),
    }),
  )
