import { useMemo } from 'react'
import type { Channel } from '#shared/channels/catalogue.ts'
import { sortAfterMove } from '#shared/table-sort.ts'
import type { Draft, DraftBlock } from './draft.ts'
import type { DraftChange } from './use-draft.ts'

export type BlockEdits = ReturnType<typeof useBlockEdits>

/** What can be done to the blocks of a draft; the same functions for as long as the editor is open. */
export function useBlockEdits(change: (change: DraftChange) => void) {
  return useMemo(() => {
    const edit = (how: (channels: Draft['channels']) => Draft['channels']) =>
      change(({ channels, sort, limit }) => {
        const next = how(channels)
        // What a table is sorted by is a metric of a channel by its position.
        const nextSort = sortAfterMove(
          sort,
          channels.map(block => next.indexOf(block)),
        )
        return { channels: next, sort: nextSort, limit: sort !== null && nextSort === null ? null : limit }
      })
    return {
      add: (channel: Channel) => edit(channels => [...channels, emptyBlock(channel)]),
      put: (index: number, changed: Partial<DraftBlock>) =>
        change(({ channels }) => ({
          channels: channels.map((block, at) => (at === index ? { ...block, ...changed } : block)),
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
