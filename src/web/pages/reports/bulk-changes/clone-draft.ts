import type { z } from 'zod'
import type { CloneOutcome, CloneReports } from '#shared/api/bulk-operations.ts'

/** A clone while it is being described. */
export interface CloneDraft {
  source: 'client' | 'folder' | 'selection'
  client: number | null
  folder: number | null
  /** The advertiser that the copies are for. */
  advertiser: number | null
  /** By old account; null: left out. */
  accounts: ReadonlyMap<number, number | null>
  /** The folder in which the copies are put; null: the top level. */
  under: number | null
  new_folder: string
  find: readonly string[]
  replace: string
  all_or_nothing: boolean
}

export const draftFor = (reports: readonly number[]): CloneDraft => ({
  source: reports.length > 0 ? 'selection' : 'client',
  client: null,
  folder: null,
  advertiser: null,
  accounts: new Map(),
  under: null,
  new_folder: '',
  find: [],
  replace: '',
  all_or_nothing: false,
})

type Body = z.input<typeof CloneReports>

/** The body of the request; null while something is missing. */
export function bodyOf(draft: CloneDraft, reports: readonly number[]): Body | null {
  const source = sourceOf(draft, reports)
  if (source === null || draft.advertiser === null) return null
  const [replace, new_folder] = [draft.replace.trim(), draft.new_folder.trim()]
  return {
    source,
    advertiser: draft.advertiser,
    accounts: [...draft.accounts].flatMap(([from, to]) => (to === null ? [] : [{ from, to }])),
    folder: draft.under,
    new_folder: new_folder || null,
    rename: draft.find.length > 0 && replace ? { find: [...draft.find], replace } : null,
    all_or_nothing: draft.all_or_nothing,
  }
}

function sourceOf(draft: CloneDraft, reports: readonly number[]): Body['source'] | null {
  if (draft.source === 'selection') return { reports: [...reports] }
  if (draft.source === 'folder') return draft.folder === null ? null : { folder: draft.folder }
  return draft.client === null ? null : { advertiser: draft.client }
}

/**
 * The likely defaults, once the accounts of the reports are known; the names of both clients where they are
 * chosen.
 */
export function suggested(
  draft: CloneDraft,
  { accounts, results }: Pick<CloneOutcome, 'accounts' | 'results'>,
  names: { from: string; to: string },
): CloneDraft {
  return {
    ...draft,
    accounts: new Map(accounts.map(({ id, suggested: to }) => [id, to])),
    find: callings(
      names.from,
      results.map(({ name }) => name),
    ),
    replace: names.to,
    new_folder: names.to,
  }
}

/** What people call a client: its name, or the beginning of it that most reports are named after. */
export function callings(client: string, names: readonly string[]): string[] {
  if (client === '') return []
  const words = client.split(/\s+/)
  const beginnings = words.map((_, index) => words.slice(0, words.length - index).join(' '))
  const usesOf = (text: string) =>
    names.filter(name => name.toLowerCase().includes(text.toLowerCase())).length
  const [most = client] = beginnings.toSorted((a, b) => usesOf(b) - usesOf(a) || b.length - a.length)
  return usesOf(most) > 0 && most.length > 2 ? [...new Set([client, most])] : [client]
}
