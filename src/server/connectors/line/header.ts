import { unreadable } from '#server/connectors/kit/failures.ts'
import type { Labels } from './fields.ts'

/**
 * Where the columns of a file are. Their labels depend on the language and have changed between releases, so
 * that only letters and digits count, in whichever width and case: `Reach (estimated)` is `reach_estimated`.
 */
export interface Header {
  length: number
  /** Throws when there is none. */
  at(labels: Labels): number
  /** -1 when there is none. */
  find(labels: Labels): number
}

export function headerOf(fields: readonly string[]): Header {
  const columnNumbers = new Map<string, number>()
  for (const [at, label] of fields.entries()) {
    const plain = plainLabel(label)
    // An advertiser may have called a conversion "Search" or "Cost". Its column comes after all that LINE
    // names itself, but for those of videos.
    if (!columnNumbers.has(plain) || isOfVideos(plain)) columnNumbers.set(plain, at)
  }
  const find = (labels: Labels) => {
    for (const label of labels) {
      const at = columnNumbers.get(plainLabel(label))
      if (at !== undefined) return at
    }
    return -1
  }
  return {
    length: fields.length,
    find,
    at(labels) {
      const at = find(labels)
      if (at < 0) throw unreadable(`a file without the column ${labels[0]}`)
      return at
    },
  }
}

export const plainLabel = (label: string) =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '')

const isOfVideos = (plain: string) => /^(video|動画|影片|3second)/.test(plain)
