import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { PageRequest } from '#shared/drawn-page.ts'
import type { ApiRead } from './messages.ts'
import { createPageRenderer } from './renderer.ts'

const obedient = new URL('./testing/obedient-thread.ts', import.meta.url)

function renderer({ limit_ms = 60_000, rest_ms = 60_000, thread = obedient } = {}) {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const problems: string[] = []
  const pages = createPageRenderer({
    entry: '',
    limit_ms,
    rest_ms,
    stopping: stopping.signal,
    warn: problem => problems.push(problem),
    thread,
  })
  const draw = async (href: string, read: (read: ApiRead) => Promise<string> = async () => '') => {
    while (!pages.isReady() && !stopping.signal.aborted) await sleep(1)
    return await pages.draw(pageAt(href), async each => ({
      status: 200,
      headers: {},
      body: await read(each),
    }))
  }
  return { pages, draw, problems, stop: () => stopping.abort() }
}

const pageAt = (href: string): PageRequest => ({
  href,
  origin: 'http://localhost:3000',
  cookies: '',
  look: null,
  at_ms: 0,
})

it('draws pages beside each other, each with what is read for its own person', async () => {
  const { draw } = renderer()
  const reads: ApiRead[] = []
  const people = ['Alice', 'Bo', 'Cleo'].map(name =>
    draw('/read', async read => {
      reads.push(read)
      return name
    }),
  )
  expect((await Promise.all(people)).map(drawn => drawn?.markup)).toEqual(['Alice', 'Bo', 'Cleo'])
  expect(reads[0]).toEqual({ path: '/api/overview/', headers: { a: 'b' } })
})

it('draws without what cannot be read', async () => {
  const drawn = await renderer().draw('/read', async () => {
    throw new Error('no database')
  })
  expect(drawn?.markup).toBe('unread')
})

it('draws with what is there when the time is over', async () => {
  expect((await renderer({ limit_ms: 1 }).draw('/wait'))?.markup).toBe('with what was there')
})

it('leaves a page to its browser when it cannot be drawn, and says why', async () => {
  const { draw, problems } = renderer()
  expect(await draw('/refuse')).toBeNull()
  expect(problems).toEqual(['why'])
})

it('leaves only the pages of a thread that ends to their browsers', async () => {
  const { draw, problems } = renderer()
  for (const end of ['/throw', '/exit']) {
    expect(await Promise.all([draw('/wait'), draw(end)])).toEqual([null, null])
    expect((await draw('/draw'))?.markup).toBe('drawn')
  }
  expect(problems).toHaveLength(2)
})

it('does not rest while it draws, however soon it would', async () => {
  const { draw } = renderer({ rest_ms: 50 })
  const drawn = await draw('/read', async () => {
    await sleep(200)
    return 'Alice'
  })
  expect(drawn?.markup).toBe('Alice')
})

it('rests after a while without a page', async () => {
  const { pages, draw } = renderer({ rest_ms: 1 })
  await draw('/draw')
  await expect.poll(() => pages.isReady()).toBe(false)
})

it('says that it is not ready rather than that it waits for its thread, which may fail to start', async () => {
  const { pages } = renderer()
  expect(pages.isReady()).toBe(false)
  expect(await pages.draw(pageAt('/draw'), async () => ({ status: 200, headers: {}, body: '' }))).toBeNull()
  await expect.poll(() => pages.isReady()).toBe(true)
})

it('says why it cannot start, each time', async () => {
  const { pages, problems } = renderer({ thread: new URL('./none.ts', import.meta.url) })
  for (const times of [1, 2]) {
    expect(pages.isReady()).toBe(false)
    await expect.poll(() => problems).toHaveLength(times)
  }
})

it('leaves what is too many to their browsers', async () => {
  const { draw, stop } = renderer()
  await draw('/draw')
  const waiting = Array.from({ length: 8 }, () => draw('/wait'))
  expect(await draw('/draw')).toBeNull()
  stop()
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => null))
  expect(await draw('/draw')).toBeNull()
})
