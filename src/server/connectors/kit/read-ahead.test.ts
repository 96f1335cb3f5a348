import { describe, expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

const context = { signal: new AbortController().signal }
const LAST = 3

/** Pages 1 to 3, and what happened to their requests. */
function numberedPages() {
  const requested: number[] = []
  let current: AbortSignal = context.signal
  const pages = readAhead(context, ({ signal }) => {
    current = signal
    const pageAt = async (page: number) => {
      requested.push(page)
      return page
    }
    return { first: () => pageAt(1), next: (page: number) => (page === LAST ? null : pageAt(page + 1)) }
  })
  return { pages, requested, isCancelled: () => current.aborted }
}

describe('a list that is read ahead', () => {
  it('has the next page requested before one is used', async () => {
    const { pages, requested } = numberedPages()
    const requestsAt: [page: number, requests: number][] = []
    for await (const page of pages) requestsAt.push([page, requested.length])
    expect(requestsAt).toEqual([
      [1, 2],
      [2, 3],
      [3, 3],
    ])
  })

  it('has its requests cancelled when the reader leaves', async () => {
    const { pages, isCancelled } = numberedPages()
    for await (const page of pages) if (page === 1) break
    expect(isCancelled()).toBe(true)
  })

  it('fails where its page is read, not before', async () => {
    const pages = readAhead(context, () => ({
      first: async () => 1,
      next: () => Promise.reject<number>(new Error('lost')),
    }))
    expect(await pages.next()).toEqual({ done: false, value: 1 })
    await expect(pages.next()).rejects.toThrow('lost')
  })
})
