import type { Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_DURATION_MS } from '#web/client/toasts.ts'
import { control } from './product.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page

beforeAll(async () => {
  ;({ page } = visited)
})

const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const open = (path: string) => page.goto(`${visited.product.origin}${path}`)
const row = (name: string) => page.getByRole('row', { name })
const menu = async (label: string, entry: string) => {
  await button(label).click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

describe('the folders', () => {
  const folders = () => page.getByRole('navigation', { name: 'Folders' })
  const create = async (name: string) => {
    await button('New folder').click()
    await dialog().getByLabel('Folder name').fill(name)
    await dialog().getByRole('button', { name: 'Create' }).click()
  }

  it('opens a folder that was just made', async () => {
    await create('Spring')
    await page.getByText('Folder created').waitFor()
    await heading('Spring').waitFor()
    expect(new URL(page.url()).searchParams.get('p')).toMatch(/^[1-9]\d*$/)
  })

  it('keeps the dialog open when the name is taken, and says why', async () => {
    await create('Spring')
    await dialog().getByRole('alert').getByText('The folder name must not be empty or duplicated.').waitFor()
    await dialog().getByRole('button', { name: 'OK' }).click()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => folders().getByRole('link', { name: 'Spring' }).count()).toBe(1)
  })

  it('renames a folder', async () => {
    await menu('Actions for folder Spring', 'Rename')
    await dialog().getByLabel('Folder name').fill('Summer')
    await dialog().getByRole('button', { name: 'Rename' }).click()
    await heading('Summer').waitFor()
  })

  it('deletes a folder but keeps the reports in it, if chosen', async () => {
    const { folder } = await call('POST', '/api/gs-template-setting/', {
      name: 'Kept',
      folder: Number(new URL(page.url()).searchParams.get('p')),
    })
    expect(folder).toBeGreaterThan(0)
    await menu('Actions for folder Summer', 'Delete')
    await dialog().getByText('are deleted with it').waitFor()
    await dialog().getByLabel('Keep the items in this folder').check()
    await dialog().getByRole('button', { name: 'Delete folder' }).click()
    await heading('Auto-update reports').waitFor()
    await folders().getByRole('link', { name: 'Summer' }).waitFor({ state: 'detached' })
    await row('Kept').waitFor()
  })
})

describe('the list', () => {
  beforeEach(() => open('/gs-template'))

  it('searches in all folders once the typing has paused, and keeps the search in the URL', async () => {
    const searches: string[] = []
    const listen = (request: { url(): string }) => {
      const search = new URL(request.url()).searchParams.get('search')
      if (request.url().includes('/api/gs-template-setting/') && search) searches.push(search)
    }
    page.on('request', listen)
    await page.getByRole('searchbox').pressSequentially('fjord jap')
    await page.waitForURL(/search=fjord/)
    await row('Fjord Japan').waitFor()
    await row('Aurora daily performance').waitFor({ state: 'detached' })
    expect(new Set(searches)).toEqual(new Set(['fjord jap']))
    page.off('request', listen)
    await button('Clear filters').click()
    await row('Aurora daily performance').waitFor()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
  })

  it('shows ten reports a page', async () => {
    for (let count = 0; count < 10; count++)
      await call('POST', '/api/gs-template-setting/', { name: `Filler ${count}` })
    await page.reload()
    await button('Next page').waitFor()
    await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(11)
    await button('Next page').click()
    await page.waitForURL(/page=2/)
  })

  it('runs many at once, and cancels what still waits', async () => {
    await faults([{ platform: 'meta', action: 'latency', delay_ms: 2000 }])
    await open('/gs-template?search=Aurora')
    const names = ['Aurora daily performance', 'Aurora campaigns by week']
    for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Run' }).click()
    await page.getByText('2 reports started').waitFor()
    await button('Cancel waiting runs').click()
    await page.getByText(/^\d completed, \d failed, 0 waiting, of 2$/).waitFor({ state: 'attached' })
    await faults([])
    await page.reload()
    await page.getByRole('heading', { name: 'One-click execution' }).waitFor()
    await button('Close this panel').click()
    await page.getByRole('heading', { name: 'One-click execution' }).waitFor({ state: 'detached' })
  })

  it('deletes a report after a confirmation, and restores it', async () => {
    await open('/gs-template?search=Kept')
    await menu('Actions for Kept', 'Delete')
    await dialog().getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Report deleted').waitFor()
    await page.getByRole('link', { name: 'Recently deleted' }).click()
    await row('Kept').getByRole('button', { name: 'Restore' }).click()
    await dialog().getByRole('button', { name: 'Restore' }).click()
    await page.getByText('Report restored').waitFor()
  })
})

describe('the editor', () => {
  const name = () => page.getByLabel('Report name')
  const openReport = async (reportName: string) => {
    const { results } = await call(
      'GET',
      `/api/gs-template-setting/?search=${encodeURIComponent(reportName)}`,
    )
    const [report] = results ?? []
    await open(`/gs-template/template?id=${report?.id}`)
    await heading(reportName).waitFor()
  }

  it('asks for confirmation before unsaved settings are left, and stays when it is declined', async () => {
    await openReport('Filler 1')
    await name().fill('Filler 1, changed')
    await page.getByRole('link', { name: 'Overview' }).click()
    await dialog().getByText('Are you sure you want to exit?').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => name().inputValue()).toBe('Filler 1, changed')
    await page.getByRole('link', { name: 'Overview' }).click()
    await dialog().getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL(url => url.pathname === '/')
  })

  it('leaves without a confirmation when nothing was changed', async () => {
    await openReport('Filler 1')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL(url => url.pathname === '/')
  })

  it('closes every notice on the way to another page', async () => {
    await openReport('Filler 3')
    // None closes by itself.
    await page.evaluate(durationMs => {
      const { setTimeout: later } = globalThis
      const without = (then: () => void, ms?: number) => (ms === durationMs ? 0 : later(then, ms))
      Object.assign(globalThis, { setTimeout: without })
    }, DEFAULT_DURATION_MS)
    await name().fill('Filler 3, saved')
    await page.keyboard.press('Control+s')
    await page.getByText('The report has been saved.').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.waitForURL(url => url.pathname === '/')
    await page.getByText('The report has been saved.').waitFor({ state: 'detached' })
  })
})

describe('the history', () => {
  it('leads from a run whose account is lost to the instructions of its platform, and does not offer to run it again', async () => {
    await open('/gs-template?search=Fjord+Japan')
    await row('Fjord Japan').getByRole('link', { name: 'Failed' }).click()
    await page.waitForURL(/\/history\?/)
    const instructions = page.getByRole('link', { name: 'Open the instructions' })
    await instructions.waitFor()
    expect(await button('Run again').count()).toBe(0)
    // Of the run and of its one channel the platform has said the same.
    await expect.poll(() => page.getByText('In the words of the platform:').count()).toBe(1)
    expect(await instructions.getAttribute('href')).toBe('/setting/instructions#meta')
  })
})

describe('every page', () => {
  it('changes its language at once, and for good', async () => {
    await open('/gs-template')
    await choose('Language', '繁體中文')
    await heading('自動更新報表').waitFor()
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('zh-Hant-TW')
    await page.reload()
    await heading('自動更新報表').waitFor()
    await choose('語言', 'English')
    await heading('Auto-update reports').waitFor()
  })

  it('keeps a language that was chosen just before leaving the page', async () => {
    await open('/gs-template')
    await heading('Auto-update reports').waitFor()
    // Texts that never come: saving cannot have waited for them.
    const texts = /\/assets\/zh-TW/
    await page.route(texts, () => {})
    const saved = page.waitForResponse(response => response.request().method() === 'PATCH')
    await choose('Language', '繁體中文')
    expect((await saved).status()).toBe(200)
    await page.unroute(texts)
    await page.reload()
    await heading('自動更新報表').waitFor()
    // Delayed: the next page requests the user before the choice has arrived, and sends it again.
    const held = Promise.withResolvers<void>()
    await page.route(/\/users\/\d+\//, () => held.resolve(), { times: 1 })
    await choose('語言', 'English')
    await held.promise
    const sentAgain = page.waitForResponse(response => response.request().method() === 'PATCH')
    await open('/no-such-page')
    await heading('This page does not exist').waitFor()
    expect((await sentAgain).status()).toBe(200)
    await page.reload()
    await heading('This page does not exist').waitFor()
  })

  it('says so when an address does not exist, and offers the way back', async () => {
    await open('/no-such-page')
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    await page.getByRole('link', { name: 'Go to the overview' }).click()
    await page.waitForURL(url => url.pathname === '/')
    for (const name of ['template', 'setting', 'history', 'versions']) {
      await open(`/gs-template/${name}?id=999999`)
      await page.getByRole('heading', { name: 'This report does not exist', level: 1 }).waitFor()
    }
    await page.getByRole('link', { name: 'Go to reports' }).click()
    await page.getByRole('heading', { name: 'Auto-update reports', level: 1 }).waitFor()
  })

  const choose = async (label: string, entry: string) => {
    await button(label).click()
    await page.getByRole('menuitemradio', { name: entry }).click()
  }
})

interface Body {
  id: number
  name: string
  version: number
  folder: number | null
  results?: Body[]
}

/** A client of the same person's API. */
const call = (method: string, path: string, body?: object) => callAs<Body>(visited, method, path, body)

const faults = (armed: object[]) => control(visited.product, 'faults', { body: armed })
