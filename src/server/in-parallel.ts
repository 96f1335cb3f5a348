/**
 * Processes all items, so many at a time, started in order. When one fails, no other is started; the first
 * failure is thrown once those in progress have ended, so that nothing goes on behind the caller.
 */
export async function inParallel<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = []
  const left = items.entries()
  const next = async () => {
    for (const [index, item] of left) {
      if (failures.length > 0) return
      await work(item, index).catch(error => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, next))
  if (failures.length > 0) throw failures[0]
}

/** Does work as soon as fewer than so many others are under way, in order. */
export type Permits = (work: () => Promise<void>) => Promise<void>

export function permits(most: number): Permits {
  let free = most
  const waiting: (() => void)[] = []
  return async work => {
    if (free > 0) free--
    else await new Promise<void>(resolve => void waiting.push(resolve))
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** The same items, each of them made while the one before is being used. */
export async function* prefetched<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]()
  for (let pending = iterator.next(); ;) {
    const { done, value } = await pending
    if (done) return
    pending = iterator.next()
    // It may fail before it is awaited.
    pending.catch(() => {})
    yield value
  }
}
