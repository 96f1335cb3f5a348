import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { outcomes } from '#web/i18n/en/outcomes.ts'
import { control } from './product.ts'
import { callAs, visit } from './test-product.ts'

const visited = visit('Mika Chen')
let page: Page
/** A spreadsheet of the person's own, shared with the system user. */
let address = ''

beforeAll(async () => {
  ;({ page } = visited)
  const { id } = await call('POST', '/api/sheets/', { title: 'Nine channels' })
  const sheet = await call('GET', `/api/sheets/${id}/`)
  await call('POST', `/api/sheets/${id}/share/`, { email: sheet.system_user, role: 'writer' })
  address = sheet.url ?? ''
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
const block = (number: number) => page.getByRole('group', { name: new RegExp(`^(Channel|管道) ${number}:`) })
const chooseIn = async (number: number, field: string, options: RegExp[]) => {
  await block(number).getByRole('button', { name: field, exact: true }).click()
  for (const name of options) await page.getByRole('option', { name }).click()
  await page.keyboard.press('Escape')
}

describe('a report over several channels', () => {
  it('begins with the choice of a channel, each with what it is', async () => {
    await page.goto(`${visited.product.origin}/gs-template/template`)
    const { channels } = await call('GET', '/api/ad/gs_metrics/')
    const choices = page.getByRole('list', { name: 'Add channel' }).getByRole('button')
    await choices.first().waitFor()
    await expect.poll(() => choices.count()).toBe(channels?.length)
    await page.getByText('Facebook and Instagram ads').waitFor()
  })

  it('explains the limits of a dimension before it is saved', async () => {
    await button('Add Google Ads').click()
    await button('Ad group').click()
    await page.getByText('Performance Max campaigns have no ad groups').waitFor()
    await button('Remove Ad group').click()
    await button('Remove Google Ads').click()
    await button('Add channel').click()
  })

  it('adds channels by keyboard, and continues with their accounts', async () => {
    await page.getByLabel('Report name').fill('Ads and visits')
    await button('Add Meta ads').focus()
    await page.keyboard.press('Enter')
    await chooseIn(1, 'Accounts', [/^Aurora Cosmetics Taiwan/])
    await button('Add channel').click()
    await button('Add GA4').click()
    await chooseIn(2, 'Accounts', [/^Aurora Cosmetics › .*GA4/])
    for (const number of [1, 2])
      await block(number).getByRole('button', { name: 'Add common metrics' }).click()
  })

  it('says why a dimension that only one of them has cannot be chosen', async () => {
    await button('Ad group').focus()
    await page.getByText('GA4 cannot be split by Ad group.').waitFor()
    await expect
      .poll(() => page.getByRole('list', { name: 'Dimensions' }).getByText('Ad group').count())
      .toBe(0)
    await button(/more not available for these channels$/).click()
    await button('View').focus()
    await page.getByText('Meta ads cannot be split by View.').waitFor()
  })

  it('suggests the values of a filter as the platform knows them', async () => {
    await block(1).getByRole('button', { name: 'Add filter' }).click()
    await block(1).getByRole('combobox', { name: 'Values' }).fill('sale')
    const suggestion = page.getByRole('option', { name: /sale/i }).first()
    const name = (await suggestion.textContent()) ?? ''
    await suggestion.click()
    await block(1).getByText(name, { exact: true }).waitFor()
  })

  it('runs, and is compared with the platform’s totals where nothing was filtered', async () => {
    await page.getByLabel('Spreadsheet address').fill(address)
    // It can be clicked at once: nothing that loads later moves it away from the pointer.
    await page.getByRole('combobox', { name: 'Tab', exact: true }).click()
    await page.getByRole('option', { name: /^Sheet1/ }).click()
    await button('Save and run').click()
    await page.getByText('1 completed, 0 failed, 0 waiting, of 1').waitFor({ state: 'attached' })
    await page.getByText("matches the platform's totals").waitFor()
    await expect.poll(() => page.getByText("matches the platform's totals").count()).toBe(1)
  })

  it('says by how much a table differs that is not equal to the totals', async () => {
    // No emulated platform contradicts itself: the response is changed on its way to the page.
    await page.route(/\/runs\/[\w-]+\/$/, async route => {
      const response = await route.fetch()
      const body = (await response.json()) as { blocks: object[] }
      const differences = [{ metric: 'sessions', table: 1200, platform: 1234.5 }]
      const blocks = body.blocks.map(each => ({ ...each, proof: { matches: false, differences } }))
      await route.fulfill({ response, json: { ...body, blocks } })
    })
    await page.getByRole('link', { name: 'Ads and visits' }).first().click()
    await page.getByText('Sessions: 1,200 in the table, 1,234.5 at the platform').first().waitFor()
    await page.unroute(/\/runs\/[\w-]+\/$/)
    await page.reload()
  })

  it('shows every note that a run can have, with what it is about', async () => {
    const details = [
      { kept_from: '2026-11-20T02:00:00.000Z' },
      { from: '2026-11-22', account: '1' },
      { percent: 12 },
      { zones: 'Asia/Taipei, Asia/Tokyo' },
      { ranges: 'A1:B2' },
      { days: 3, of: 10 },
    ]
    const notes = Object.keys(outcomes.note).map((code, at) => ({
      code,
      block: at % 2 === 0 ? null : 0,
      detail: details[at % details.length],
    }))
    await page.route(/\/runs\/[\w-]+\/$/, async route => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), notes } })
    })
    await page.reload()
    for (const text of Object.values(outcomes.note)) await page.getByText(text).first().waitFor()
    await page.getByText('From 2026-11-22.').first().waitFor()
    await page.unroute(/\/runs\/[\w-]+\/$/)
    await page.reload()
  })

  it('says the same in Chinese, on the page of the run', async () => {
    await page.getByText("matches the platform's totals").waitFor()
    await button('Language').click()
    await page.getByRole('menuitemradio', { name: '繁體中文' }).click()
    await page.getByText('與平台總計相符').waitFor()
    await button('語言').click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByText("matches the platform's totals").waitFor()
  })
})

describe('a report without rows', () => {
  it('says which filter has removed them', async () => {
    const report = await made({
      name: 'Nothing passes',
      channels: [
        {
          channel: 'fb',
          accounts: await accounts('fb', 'Aurora Cosmetics Taiwan'),
          metrics: ['cost'],
          filters: [{ field: 'campaign_name', rule: 'CONTAINS', values: ['no such campaign'] }],
        },
      ],
      start_cell: 'A200',
    })
    await run(report)
    await page.getByText('This filter excludes all rows.').first().waitFor()
    await page.getByText('Filter: Campaign name contains “no such campaign”').first().waitFor()
  })
})

describe('a report over views whose platform is retired', () => {
  it('is converted to GA4 as a copy, and stays as it is', async () => {
    const report = await made({
      name: 'Visits of 2023',
      channels: [
        { channel: 'ga', accounts: await accounts('ga', 'Aurora'), metrics: ['sessions', 'entrances'] },
      ],
      date_range: { start: '2023-01-01', end: '2023-01-31', dynamic_range: 0 },
      start_cell: 'A400',
    })
    await control(visited.product, 'limits', { body: { ua_era: 'shutdown' } })
    await run(report)
    await control(visited.product, 'limits', { body: { ua_era: 'live' } })
    await page.goto(`${visited.product.origin}/gs-template/template?id=${report}`)
    await button('Convert to GA4').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Entrances', { exact: true }).waitFor()
    // The property is preselected once the list of properties has come.
    await expect.poll(() => dialog.getByRole('combobox').inputValue()).toContain('GA4')
    await dialog.getByRole('button', { name: 'Create copy' }).click()
    await page.getByRole('heading', { name: 'Visits of 2023 (GA4)', level: 1 }).waitFor()
    await block(1).getByText('Sessions').waitFor()
    expect(page.url()).not.toContain(`id=${report}&`)
    const { channels, name } = await call('GET', `/api/gs-template-setting/${report}/`)
    expect({ name, channels }).toMatchObject({ name: 'Visits of 2023', channels: [{ channel: 'ga' }] })
  })
})

interface Body {
  id: number
  name?: string
  url?: string
  system_user?: string
  channels?: { channel: string }[]
  reports?: { run: string }[]
  results?: Body[]
}

/** A report that writes every day of this month to the spreadsheet. */
async function made(fields: object): Promise<number> {
  const { id } = await call('POST', '/api/gs-template-setting/', {
    spreadsheet_url: address,
    sheet_name: 'Sheet1',
    ...fields,
  })
  return id
}

/** Runs it and opens the run, which has ended when its page says so. */
async function run(report: number) {
  const { reports } = await call('POST', '/api/gs-template-execution/', { reports: [report] })
  await page.goto(`${visited.product.origin}/gs-template/history?id=${report}&run=${reports?.[0]?.run}`)
  await page.getByRole('term').filter({ hasText: 'Finished' }).waitFor()
}

async function accounts(channel: string, search: string): Promise<number[]> {
  const { results } = await call(
    'GET',
    `/api/ad/account/?channel=${channel}&search=${encodeURIComponent(search)}`,
  )
  const [account] = results ?? []
  return account ? [account.id] : []
}

/** A client of the same person's API. */
const call = (method: string, path: string, body?: object) => callAs<Body>(visited, method, path, body)
