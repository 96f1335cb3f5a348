import { useMemo } from 'react'
import { blendsAfterMove } from '#shared/blend.ts'
import { defaultConversion } from '#shared/block-catalogue.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { sortAfterMove } from '#shared/table-sort.ts'
import type { Draft, DraftBlock } from './draft.ts'
import type { Known } from './known.ts'
import type { DraftChange } from './use-draft.ts'

export type BlockEdits = ReturnType<typeof useBlockEdits>

/** What can be done to the blocks of a draft; the same functions for as long as the editor is open. */
export function useBlockEdits(change: (change: DraftChange) => void) {
  return useMemo(() => {
    const edit = (how: (channels: Draft['channels']) => Draft['channels']) =>
      change(({ channels, ...draft }) => {
        const next = how(channels)
        return afterMove(draft, { next, moves: channels.map(block => next.indexOf(block)) })
      })
    return {
      add: (channel: Channel) => edit(channels => [...channels, emptyBlock(channel)]),
      put: (index: number, changed: Partial<DraftBlock>) =>
        change(({ channels }) => ({
          channels: channels.map((block, at) => (at === index ? { ...block, ...changed } : block)),
        })),
      /** A new channel counts conversions as the advertiser of its first accounts does. */
      putAccounts: (index: number, accounts: number[], known: Known) =>
        change(({ channels }) => ({
          channels: channels.map((block, at) =>
            at === index ? { ...block, accounts, ...firstConversion(block, accounts, known) } : block,
          ),
        })),
      move: (from: number, to: number) => edit(channels => moved(channels, from, to)),
      duplicate: (index: number) =>
        edit(channels =>
          channels.flatMap((block, at) => (at === index ? [block, { ...block, label: null }] : [block])),
        ),
      remove: (index: number) => edit(channels => channels.toSpliced(index, 1)),
    }
  }, [change])
}

/**
 * The draft with other channels; `moves` has the new position of each. What a table is sorted by, and what
 * columns over several channels are worked out of, is a metric of a channel by its position.
 */
export function afterMove(
  { sort, limit, blends }: Pick<Draft, 'sort' | 'limit' | 'blends'>,
  { next, moves }: { next: Draft['channels']; moves: readonly number[] },
): Pick<Draft, 'channels' | 'sort' | 'limit' | 'blends'> {
  const nextSort = sortAfterMove(sort, moves)
  return {
    channels: next,
    sort: nextSort,
    limit: sort !== null && nextSort === null ? null : limit,
    blends: blendsAfterMove(blends, moves),
  }
}

/** Saved channels, and those where something was chosen, keep what they count by. */
export function firstConversion(
  { channel, conversion, accounts: before }: DraftBlock,
  accounts: readonly number[],
  known: Known,
): Partial<DraftBlock> {
  if (conversion !== undefined || before.length > 0) return {}
  const own = known.accounts.filter(({ id }) => accounts.includes(id))
  const advertisers = own.map(({ advertiser }) => advertiser)
  const found = defaultConversion(channel, { meanings: known.meanings, advertisers })
  return found === null ? {} : { conversion: found }
}

/** The list with one entry moved to another index. */
export function moved<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const rest = entries.toSpliced(from, 1)
  return rest.toSpliced(to, 0, ...entries.slice(from, from + 1))
}

export const emptyBlock = (channel: Channel): DraftBlock => ({
  channel,
  label: null,
  accounts: [],
  metrics: [],
  filters: [],
  on_error: 'leave_empty',
})
