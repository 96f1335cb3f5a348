import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
const REPORTS = '/api/gs-template-setting/'
const call = <Reply>(method: string, path: string, body?: object) =>
  callAs<Reply>(visited, method, path, body)
const open = (path: string) => visited.page.goto(`${visited.product.origin}${path}`)

/** As a browser does when another tab is chosen, and this one again. */
const setHidden = (page: Page, hidden: boolean) =>
  page.evaluate(is_hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, value: is_hidden })
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      value: is_hidden ? 'hidden' : 'visible',
    })
    document.dispatchEvent(new Event('visibilitychange'))
    if (!is_hidden) window.dispatchEvent(new Event('focus'))
  }, hidden)

interface Listed {
  results: { id: number; name: string; gaps: string[]; task: string | null }[]
}

/** All events from before have arrived: the one about notices comes after them. */
async function delivered(page: Page) {
  const bell = page.waitForRequest(request => request.url().includes('/api/notifications/'))
  await call('POST', '/api/notifications/read/', { all: true })
  await bell
}

const waitForMany = (page: Page, count: number, is: (request: Request) => boolean) => {
  let left = count
  return page.waitForResponse(response => is(response.request()) && --left === 0)
}

describe('the list of a tab that comes back', () => {
  const isList = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === REPORTS && searchParams.has('ordering')
  }
  const isStream = (request: Request) => request.url().includes('/api/events/')

  it('is not requested again; what happened meanwhile arrives by events', async () => {
    const { page } = visited
    // Once for the page, and once since the stream has begun.
    const twice = waitForMany(page, 2, isList)
    await open('/gs-template')
    await twice
    // Whatever the demo runs at first; what the page has seen of it does not count as new later.
    const list = () => call<Listed>('GET', `${REPORTS}?limit=100`)
    await expect.poll(async () => (await list()).results.filter(({ task }) => task !== null)).toEqual([])
    await delivered(page)

    await setHidden(page, true)
    const requests: Request[] = []
    page.on('request', request => requests.push(request))
    const resumed = page.waitForRequest(isStream)
    await setHidden(page, false)
    expect((await resumed).headers()['last-event-id']).toMatch(/^\d+$/)
    await delivered(page)
    expect(requests.filter(isList).map(request => request.url())).toEqual([])

    await setHidden(page, true)
    const ready = (await list()).results.find(({ gaps }) => gaps.length === 0)
    await call('POST', '/api/gs-template-execution/', { reports: [ready?.id] })
    const again = page.waitForRequest(isList)
    await setHidden(page, false)
    await again
  })
})
