import type { Page, Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { callAs, callerOf, createPerson, signInAs, signInWith, visit } from './test-product.ts'

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
  results: { id: number }[]
}

/** All events from before have arrived: the one about notices comes after them. */
async function deliveredTo(page: Page, person: Awaited<ReturnType<typeof callerOf>>) {
  const bell = page.waitForRequest(request => request.url().includes('/api/notifications/'))
  await person('POST', '/api/notifications/read/', { all: true })
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
    // Nothing of theirs has happened yet, of which a stream that goes on would repeat the last seconds.
    const [username, password] = ['watcher', 'seven quiet harbours']
    const { results: clients } = await call<Listed>('GET', '/api/ad/account/advertisers/')
    const person = await createPerson(visited, {
      username,
      password,
      advertisers: clients.map(({ id }) => id),
    })
    const page = await signInWith(visited, username, password)
    // The page does not come drawn: once for the page, and once since the stream has begun.
    await page.context().clearCookies({ name: 'look' })
    const twice = waitForMany(page, 2, isList)
    await page.goto(`${visited.product.origin}/gs-template`)
    await twice
    const delivered = () => deliveredTo(page, person)
    await delivered()

    await setHidden(page, true)
    const requests: Request[] = []
    page.on('request', request => requests.push(request))
    const resumed = page.waitForRequest(isStream)
    await setHidden(page, false)
    expect((await resumed).headers()['last-event-id']).toMatch(/^\d+$/)
    await delivered()
    expect(requests.filter(isList).map(request => request.url())).toEqual([])

    await setHidden(page, true)
    const { results } = await call<Listed>('GET', `${REPORTS}?search=Fjord campaigns`)
    const id = results[0]?.id
    await call('POST', `${REPORTS}${id}/share/`, { user: person.user_id, access: 'viewer' })
    await call('POST', '/api/gs-template-execution/', { reports: [id] })
    await setHidden(page, false)
    await page.getByRole('row', { name: 'Fjord campaigns' }).waitFor()
  })
})

describe('a row of the list', () => {
  const row = (name: string) => visited.page.getByRole('row', { name })

  it('runs its report with one click', async () => {
    await open('/gs-template')
    await row('Fjord campaigns').hover()
    await visited.page.getByRole('button', { name: 'Run Fjord campaigns now' }).click()
    await visited.page.getByRole('status').getByText('Report started').first().waitFor()
    await visited.page.waitForURL(/execution=/)
  })

  it('leads to the first gap of a report that cannot run yet', async () => {
    const { page } = visited
    await open('/gs-template')
    const name = 'Aurora brand campaigns (not set up yet)'
    await row(name).hover()
    await page.getByRole('button', { name: `Run ${name} now` }).click()
    await page.waitForURL(/gs-template\/setting\?id=\d+/)
  })

  it('says in a search in which folder the report is, as the way there', async () => {
    const { page } = visited
    await open('/gs-template?search=keywords')
    await row('Aurora keywords').getByRole('link', { name: 'Aurora Cosmetics', exact: true }).click()
    await page.waitForURL(/p=\d+/)
    await page.getByRole('heading', { name: 'Aurora Cosmetics', level: 1 }).waitFor()
    await page.getByRole('columnheader', { name: 'Folder' }).waitFor({ state: 'detached' })
  })

  it('is ordered by owner, also where there is no room for the column', async () => {
    const { page } = visited
    await open('/gs-template?scope=shared')
    await page.getByRole('combobox', { name: 'Sort' }).click()
    await page.getByRole('option', { name: 'By owner' }).click()
    await page.waitForURL(/ordering=owner_name/)
  })
})

describe('what a person keeps of the list', () => {
  it('is a view under a name, which opens by its own link and can be deleted and brought back', async () => {
    const { page } = visited
    await open('/gs-template?search=campaigns&ordering=name')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('All campaigns')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.waitForURL(/view=\d+/)
    const [, id = ''] = /view=(\d+)/.exec(page.url()) ?? []
    await open(`/gs-template?view=${id}`)
    await page.waitForURL(/search=campaigns/)
    await page.getByRole('button', { name: 'Actions for the view All campaigns' }).click()
    await page.getByRole('menuitem', { name: 'Delete view' }).click()
    await page.getByRole('link', { name: 'All campaigns' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'All campaigns' }).waitFor()
  })

  it('is a favourite, by which the list can be filtered', async () => {
    const { page } = visited
    await open('/gs-template')
    await page.getByRole('row', { name: 'Fjord campaigns' }).hover()
    const star = page.getByRole('button', { name: 'Favourite: Fjord campaigns' })
    await star.click()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('link', { name: 'Favourites' }).click()
    await page.waitForURL(/favourite=true/)
    await page.getByRole('row', { name: 'Aurora daily performance' }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Fjord campaigns' }).waitFor()
  })
})

describe('a report that one may only view', () => {
  it('opens with its table first, and can be removed from the list and brought back', async () => {
    const name = 'Cedar Coffee reach by month'
    const { results } = await call<Listed>('GET', `${REPORTS}?search=${name}`)
    const id = results[0]?.id
    const finance = await callerOf(visited, 'finance')
    await call('POST', `${REPORTS}${id}/share/`, { user: finance.user_id, access: 'viewer' })
    const page = await signInAs(visited, 'finance', 'en')
    await page.goto(`${visited.product.origin}/gs-template/template?id=${id}`)
    await page.getByText('Shared by Mika Chen').waitFor()
    await page.getByRole('columnheader', { name: 'Month' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await page.getByText('How this report is made').click()
    await page.getByText('Monthly, day 1').waitFor()

    await page.goto(`${visited.product.origin}/gs-template/setting?id=${id}`)
    await page.waitForURL(new RegExp(`/gs-template/template\\?id=${id}$`))
    await page.getByRole('columnheader', { name: 'Month' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)

    await page.goto(`${visited.product.origin}/gs-template`)
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Remove from my list' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByRole('row', { name }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('row', { name }).waitFor()
  })

  it('says what is not set and who can set it, and leads to no place where that is done', async () => {
    const name = 'Aurora brand campaigns (not set up yet)'
    const { results } = await call<Listed>('GET', `${REPORTS}?search=Aurora brand campaigns`)
    const id = results[0]?.id
    const finance = await callerOf(visited, 'finance')
    await call('POST', `${REPORTS}${id}/share/`, { user: finance.user_id, access: 'viewer' })
    const page = await signInAs(visited, 'finance', 'en')
    await page.goto(`${visited.product.origin}/gs-template`)
    const row = page.getByRole('row', { name })
    await row.getByText('tab', { exact: true }).waitFor()
    expect(await row.getByRole('link', { name: /^Set up/ }).count()).toBe(0)
    await row.getByRole('link', { name, exact: true }).click()
    await page.getByText(/^Cannot run\. Not set: tab.* Mika Chen can set it up\.$/).waitFor()
    await page.context().close()
  })
})
