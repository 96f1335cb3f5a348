import { MAX_LAYERS } from '#shared/api/folders.ts'
import type { Block } from '#shared/api/reports.ts'
import { conversionOf, defaultConversion, type Meanings } from '#shared/block-catalogue.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { filterFields, type Channel, type Filter } from '#shared/channels/catalogue.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { limits } from '#shared/limits.ts'

/** An account in a replacement. */
export interface Replaceable {
  id: number
  /** Under which it is listed: fb, aw, yg, tt, ln, ga or ga4. */
  channel: Channel
  external_id: string
  name: string
  ecid: string | null
}

interface Replacing {
  from: Replaceable
  to: Replaceable
}

/**
 * Why the accounts of a report cannot be replaced at all; whether the result may be saved is checked when it
 * is saved.
 */
interface WhyNot {
  path: string
  code: ErrorCode
}

/**
 * The blocks with one account replaced by another. A block with that account alone may change to another
 * channel with it.
 */
export function replaceAccount(blocks: readonly Block[], { from, to }: Replacing): Block[] | WhyNot {
  if (!blocks.some(block => block.accounts.includes(from.id)))
    return { path: 'channels', code: 'account_not_used' }
  const replaced: Block[] = []
  for (const [index, block] of blocks.entries()) {
    if (!block.accounts.includes(from.id)) {
      replaced.push(block)
      continue
    }
    const is_same_channel = accountChannelOf(block.channel) === to.channel
    if (!is_same_channel && block.accounts.length > 1)
      return { path: `channels.${index}.accounts`, code: 'account_other_channel' }
    replaced.push({
      ...block,
      channel: is_same_channel ? block.channel : to.channel,
      accounts: [...new Set(block.accounts.map(id => (id === from.id ? to.id : id)))],
      filters: block.filters.map(filter => refiltered(filter, [{ from, to }])),
    })
  }
  return replaced
}

/** The blocks with the accounts of another client; those without a counterpart are left out. */
export function mapAccounts(blocks: readonly Block[], pairs: readonly Replacing[]): Block[] {
  return blocks.map(block => ({
    ...block,
    accounts: [
      ...new Set(block.accounts.flatMap(id => pairs.find(({ from }) => from.id === id)?.to.id ?? [])),
    ],
    filters: block.filters.map(filter => refiltered(filter, pairs)),
  }))
}

/**
 * A block with a definition of conversions that is its accounts': one of another client is replaced by their
 * default.
 */
export function redefined(
  block: Block,
  facts: { meanings: Meanings; advertisers: readonly (number | null)[] },
): Block {
  const isMeant = (block.conversion ?? null) === null || conversionOf(block, facts) !== null
  return isMeant ? block : { ...block, conversion: defaultConversion(block.channel, facts) }
}

/** A filter that matches the old account by its name or number would match nothing of the new one. */
function refiltered(filter: Filter, pairs: readonly Replacing[]): Filter {
  if (filterFields[filter.field].of !== 'account') return filter
  const values = filter.values.map(value => {
    const pair = pairs.find(({ from }) => [from.external_id, from.name, from.ecid].includes(value))
    if (!pair) return value
    if (value === pair.from.external_id) return pair.to.external_id
    return value === pair.from.name ? pair.to.name : (pair.to.ecid ?? value)
  })
  return { ...filter, values }
}

export interface Rename {
  find: readonly string[]
  replace: string
}

/**
 * Replaces every occurrence, ignoring case, the longest where several begin at one position; unchanged when
 * nothing would be left.
 */
export function renamed(text: string, rename: Rename | null, longest: number): string {
  if (rename === null) return text
  const longest_first = rename.find.toSorted((a, b) => b.length - a.length)
  const pattern = new RegExp(longest_first.map(find => RegExp.escape(find)).join('|'), 'giu')
  const result = text.replaceAll(pattern, () => rename.replace).trim()
  return result === '' ? text : Array.from(result).slice(0, longest).join('')
}

const LONGEST_LABEL = 60
const LONGEST_VALUE = 500

/** The client's name in labels and in filter values. */
export const renameBlocks = (blocks: readonly Block[], rename: Rename | null): Block[] =>
  blocks.map(block => ({
    ...block,
    label: block.label === null ? null : renamed(block.label, rename, LONGEST_LABEL),
    filters: block.filters.map(filter => ({
      ...filter,
      values: filter.values.map(value => renamed(value, rename, LONGEST_VALUE)),
    })),
  }))

/**
 * For each account the most likely counterpart of the other client: of its channel, with a similar name but
 * for the client's.
 */
export function suggestPairs(
  accounts: readonly Pick<Replaceable, 'id' | 'channel' | 'name'>[],
  candidates: readonly Pick<Replaceable, 'id' | 'channel' | 'name'>[],
  clients: { from: string | null; to: string },
): Map<number, number> {
  const scored = accounts.flatMap(from =>
    candidates
      .filter(to => to.channel === from.channel && to.id !== from.id)
      .map(to => ({
        from: from.id,
        to: to.id,
        score: likeness(wordsOf(from.name, clients.from), wordsOf(to.name, clients.to)),
      })),
  )
  const pairs = new Map<number, number>()
  const best_first = scored.toSorted((a, b) => b.score - a.score || a.from - b.from || a.to - b.to)
  // First each candidate once; where there are more accounts than candidates, several share the likeliest.
  for (const { from, to } of best_first)
    if (!pairs.has(from) && ![...pairs.values()].includes(to)) pairs.set(from, to)
  for (const { from, to, score } of best_first) if (!pairs.has(from) && score > 0) pairs.set(from, to)
  return pairs
}

/** A name without the client's. */
function wordsOf(name: string, client: string | null): Set<string> {
  const own = new Set(split(client ?? ''))
  return new Set(split(name).filter(word => !own.has(word)))
}

const split = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/\p{Script=Han}|[\p{L}\p{N}]+/gu) ?? []

/** 1: the same words; 0: none in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = a.union(b).size
  return all === 0 ? 1 : a.intersection(b).size / all
}

/**
 * The folder of a copy: the path of its report below what is cloned, under the target folder; what is too
 * deep is joined into one name.
 */
export function folderPath(
  under: readonly string[],
  path: readonly string[],
  rename: Rename | null,
): string[] {
  const renamed_path = path.map(name => renamed(name, rename, limits.name))
  // A client's folder, cloned into that of the other client, becomes that folder.
  const inner = renamed_path.slice(renamed_path[0] !== undefined && renamed_path[0] === under.at(-1) ? 1 : 0)
  const room = MAX_LAYERS - under.length
  if (inner.length <= room) return [...under, ...inner]
  if (room <= 0) return [...under]
  const joined = Array.from(inner.slice(room - 1).join(' · '))
    .slice(0, limits.name)
    .join('')
  return [...under, ...inner.slice(0, room - 1), joined]
}
