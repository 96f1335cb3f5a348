import type { PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from './failures.ts'

const MOST_PAGES = 1000

/**
 * The items of a list that says how many it has, page by page, by the number of each page's first item.
 * Throws when fewer or more come than it says.
 */
export async function* countedList<Item>(
  list: {
    /** The items from `start` on, counted from 1. */
    from: (start: number) => Promise<{ items: Item[]; total: number | null | undefined }>
    idOf: (item: Item) => string
  },
  what: string,
): AsyncGenerator<Item[]> {
  const ids = new Set<string>()
  let read = 0
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const { items, total } = await list.from(read + 1)
    yield items
    read += items.length
    for (const item of items) ids.add(list.idOf(item))
    if (items.length > 0 && read < (total ?? 0)) continue
    if (ids.size === total) return
    throw unreadable(`${what}: ${ids.size} of ${total} items`)
  }
  throw unreadable(`${what}: pages without end`)
}

/** Whether an id comes for the first time: lists overlap where an account is reached in several ways. */
export function firstTime(): (id: string) => boolean {
  const known = new Set<string>()
  return id => known.size < known.add(id).size
}

/** null when the account is on none of the pages. */
export async function findAccount(
  pages: AsyncIterable<PlatformAccount[]>,
  externalId: string,
): Promise<PlatformAccount | null> {
  for await (const accounts of pages) {
    const found = accounts.find(account => account.external_id === externalId)
    if (found) return found
  }
  return null
}
