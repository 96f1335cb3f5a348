/**
 * Works on all items, so many at a time, each begun in its turn. When one fails, no other is begun; the first
 * failure is thrown once those under way have ended, so that nothing goes on behind whoever asked.
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
