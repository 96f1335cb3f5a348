import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { departments } from '#shared/api/people.ts'
import type { OverviewGroups } from '#shared/api/overview-groups.ts'
import type { Attention } from '#shared/api/overview.ts'
import type { Spend } from '#shared/api/spend.ts'
import { frequency } from '#shared/schedule.ts'
import { overview_later as words } from '#web/i18n/en/overview-later.ts'
import { moneyText } from '#web/pages/overview/spend-figures.ts'
import { callerOf, createPerson, signInAs, signInWith, start } from './test-product.ts'

const started = start()
let page: Page

type Api = Awaited<ReturnType<typeof callerOf>>
const read = async <Reply>(api: Api, path: string) => (await api('GET', path)).body as Reply
const open = (path: string) => page.goto(`${started.product.origin}${path}`)
const card = (title: string | RegExp) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, level: 2 }) })
/** What the page shows and what the API says may both change, but are the same in the end. */
async function agree(visible: () => Promise<unknown>, expected: () => Promise<unknown>) {
  await expect
    .poll(async () => {
      const [one, other] = await Promise.all([visible(), expected()])
      return isDeepStrictEqual(one, other) ? 'the same' : { one, other }
    })
    .toBe('the same')
}
/** Pressed on its text: the native button itself is not visible. */
const choose = (group: string, name: string) =>
  page.getByRole('radiogroup', { name: group }).getByText(name, { exact: true }).click()
const isChosen = (group: string, name: string) =>
  page.getByRole('radiogroup', { name: group }).getByRole('radio', { name, exact: true }).isChecked()

/** The page by its address, once its first part is there. */
async function enterOverview(username: string) {
  page = await signInAs(started, username, 'en')
  await open('/')
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Hello' }).waitFor()
}

describe('the spend', () => {
  const spend = () => card(/^Spend$/)
  /** Of all channels together, and of each. */
  const figures = () => spend().locator('dl > div > dd:first-of-type').allInnerTexts()
  /** What the page was answered, by the query: the spend of a demo that has just begun still grows. */
  const answers = new Map<string, Spend>()

  beforeAll(async () => {
    await enterOverview('manager')
    page.on('response', async response => {
      const { pathname, search } = new URL(response.url())
      if (pathname === '/api/ad/metrics/' && response.ok()) answers.set(search, await response.json())
    })
    await page.reload()
  })

  it.each([
    ['7 days', ofDays(7)],
    ['90 days', ofDays(90)],
    ['30 days', ofDays(30)],
    ['This month', isThisMonth],
    ['Last month', isLastMonth],
  ])(
    'of %s is that of its days, compared with those before, and stays over a reload',
    async (name, isPeriod) => {
      await choose('Period', name)
      await expect.poll(() => isChosen('Period', name)).toBe(true)
      const { now, before } = await visibleDays()
      expect(isPeriod(now, before), JSON.stringify({ now, before })).toBe(true)
      const expected = () => costsOf({ now, before })
      await agree(figures, async () => expected())
      answers.clear()
      await page.reload()
      await expect.poll(() => isChosen('Period', name)).toBe(true)
      await agree(figures, async () => expected())
    },
  )

  /** The days that the card says it shows, and those that it compares them with; null: no day is over yet. */
  async function visibleDays() {
    const note = spend().getByText(/^(\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d\. )?\d+ accounts\. Data until/)
    const [, from = null, to = null] = /^(\S+) to (\S+)\. /.exec(await note.innerText()) ?? []
    const title = await spend()
      .getByTitle(/^Compared with/)
      .first()
      .getAttribute('title')
    const [, first = '', last = ''] = /^Compared with (\S+) to (\S+)$/.exec(title ?? '') ?? []
    return { now: from && to ? { start: from, end: to } : null, before: { start: first, end: last } }
  }

  /** In the agency's own currency: of all channels, then of each, the costliest first. */
  function costsOf({ now, before }: Awaited<ReturnType<typeof visibleDays>>): string[] | null {
    const answer = answers.get(`?start=${before.start}&end=${(now ?? before).end}`)
    if (!answer) return null
    const isWithin = (day = '') => now !== null && now.start <= day && day <= now.end
    const costs = answer.series
      .filter(({ currency }) => currency === 'TWD')
      .map(({ cost }) => cost.filter((_, at) => isWithin(answer.days[at])).reduce<number>(sum, 0))
      .toSorted((a, b) => b - a)
    return [costs.reduce<number>(sum, 0), ...costs].map(cost => moneyText(cost / 1e6, 'TWD', 'en'))
  }

  const sum = (one: number | null, other: number | null) => (one ?? 0) + (other ?? 0)
})

describe('the views of who leads others', () => {
  const table = (name: string) => page.getByRole('region', { name })
  /** The rows of the table, as the reader sees them. */
  const rows = (name: string) =>
    table(name)
      .locator('tbody tr')
      .evaluateAll(all =>
        all.map(row => [...row.querySelectorAll('th, td')].map(cell => (cell as HTMLElement).innerText)),
      )
  /** The same from the API. */
  const expected = (
    { groups }: OverviewGroups,
    nameOf: (group: OverviewGroups['groups'][number]) => string,
  ) =>
    groups.map(group => [
      nameOf(group),
      ...(['attention', 'failed', 'ending', 'ran_today', 'reports'] as const).map(count =>
        String(group[count]),
      ),
      group.spend.map(({ currency, cost }) => moneyText(cost / 1e6, currency, 'en')).join('\n') || '–',
    ])
  const teamOf = ({ id }: { id: number | null }) =>
    Object.entries(departments).find(([key]) => Number(key) === id)?.[1].names.en ?? words.groups.without_team
  const clientOf = ({ name }: { name: string | null }) => name ?? words.groups.without_client

  it.each(['director', 'manager'])('count reports by team and by client for a %s', async username => {
    const api = await callerOf(started, username)
    const groups = (by: string) =>
      read<OverviewGroups>(api, `/api/overview/groups/?by=${by}&timezone=${zone()}`)
    await enterOverview(username)
    await expect.poll(() => isChosen('Whose reports', 'Mine')).toBe(true)
    await choose('Whose reports', 'Teams')
    await table('Reports by team').getByRole('row').nth(1).waitFor()
    await agree(
      () => rows('Reports by team'),
      async () => expected(await groups('team'), teamOf),
    )
    await choose('Whose reports', 'Clients')
    await table('Reports by client').getByRole('row').nth(1).waitFor()
    await agree(
      () => rows('Reports by client'),
      async () => expected(await groups('client'), clientOf),
    )
    await page.reload()
    await expect.poll(() => isChosen('Whose reports', 'Clients')).toBe(true)
    await table('Reports by client').waitFor()
    expect(await card('Recently modified').count()).toBe(0)
    await choose('Whose reports', 'Mine')
    await card('Recently modified').waitFor()
    expect(await table('Reports by client').count()).toBe(0)
  })

  it('lead from a team to its people', async () => {
    await enterOverview('director')
    await choose('Whose reports', 'Teams')
    await table('Reports by team').getByRole('link', { name: 'Business team A' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    const line = (name: string) => page.getByRole('row').filter({ hasText: name })
    await line('Mika Chen').waitFor()
    expect(await line('Dana Wu').count()).toBe(0)
  })

  it.each(['staff', 'client-a'])(
    'are not there for %s, who see their own reports at such an address too',
    async username => {
      page = await signInAs(started, username, 'en')
      await open('/?view=teams')
      await card(/^(Recently modified|Your reports)$/).waitFor()
      await card(/^Spend$/).waitFor()
      expect(await page.getByRole('radiogroup', { name: 'Whose reports' }).count()).toBe(0)
      expect(await table('Reports by team').count()).toBe(0)
    },
  )

  it('are not there at an address that names none of them', async () => {
    await enterOverview('director')
    await open('/?view=everything')
    await card('Recently modified').waitFor()
    await expect.poll(() => isChosen('Whose reports', 'Mine')).toBe(true)
  })

  const zone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone
})

describe('the first steps', () => {
  let api: Api
  let report = 0
  const steps = (done: number) => card(`First steps (${done} of 5 done)`)
  const step = (name: string, state: 'Done' | 'Still to do') =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
      .filter({ has: page.getByRole('img', { name: state, exact: true }) })
  const patch = async (changes: object) => {
    const { version } = await read<{ version: number }>(api, `${REPORTS}${report}/`)
    expect((await api('PATCH', `${REPORTS}${report}/`, { version, ...changes })).status).toBe(200)
  }

  it('all lead to a new report while there is none', async () => {
    api = await createNewcomer()
    page = await signInWith(started, 'newcomer', PASSWORD)
    await open('/')
    await steps(0).waitFor()
    for (const name of STEPS)
      expect(await steps(0).getByRole('link', { name, exact: true }).getAttribute('href')).toBe(
        '/gs-template/new',
      )
    await steps(0).getByRole('link', { name: 'Create a report' }).click()
    await page.getByRole('heading', { name: 'New report', level: 1 }).waitFor()
  })

  it('lead each to where it is done, once there is a report', async () => {
    const { results } = await read<{ results: { id: number }[] }>(
      api,
      '/api/ad/account/?channel=fb&search=Aurora+Cosmetics+Taiwan',
    )
    const channels = [{ channel: 'fb', accounts: [results[0]?.id], metrics: ['cost'] }]
    report = (await api('POST', REPORTS, { name: 'The first one', channels })).body.id
    await open('/')
    await steps(1).waitFor()
    await step('Create a report', 'Done').waitFor()
    for (const name of STEPS.slice(1)) await step(name, 'Still to do').waitFor()
    await steps(1).getByRole('link', { name: 'Choose its spreadsheet' }).click()
    await page.getByRole('heading', { name: 'Permission settings', level: 1 }).waitFor()
    await page.goBack()
    await steps(1).getByRole('link', { name: 'Run it once' }).click()
    await page.getByRole('heading', { name: 'The first one', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Run now', exact: true }).waitFor()
    await page.goBack()
    await steps(1).getByRole('link', { name: 'Set a schedule' }).click()
    await page.getByRole('heading', { name: 'The first one', level: 1 }).waitFor()
    const schedule = page.getByRole('heading', { name: 'Schedule', level: 2 })
    await expect.poll(async () => ((await schedule.boundingBox())?.y ?? 10_000) < 1000).toBe(true)
  })

  it('tick off as they are done, and are gone with the last of them', async () => {
    const { body: made, status } = await api('POST', '/api/ad/gs_spreadsheet/', {})
    expect(status).toBe(201)
    await patch({
      spreadsheet_url: made.spreadsheet_url,
      sheet_name: made.sheet_name,
      start_cell: 'A1',
      update_frequency: frequency.daily,
    })
    await api('POST', '/api/gs-template-execution/', { reports: [report] })
    await expect
      .poll(async () => (await read<{ done: string[] }>(api, '/api/overview/first-steps/')).done)
      .toEqual(['report', 'spreadsheet', 'run', 'schedule'])
    await open('/')
    for (const name of STEPS.slice(0, -1)) await step(name, 'Done').waitFor()
    await steps(4).getByRole('button', { name: 'Share it with somebody' }).click()
    const dialog = page.getByRole('dialog', { name: 'Share “The first one”' })
    await dialog.getByRole('combobox').fill('Sam')
    await page.getByRole('option', { name: /Sam Huang/ }).click()
    await dialog.getByRole('button', { name: 'Share', exact: true }).click()
    // The dialog stays for further people, whose list says that it was done.
    await dialog.getByText('Sam Huang').first().waitFor()
    await steps(5).waitFor({ state: 'attached' })
    // Escape would close the list of people first, where that is open again by now.
    await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
    await steps(5).waitFor({ state: 'detached' })
  })

  it('are not shown again once they are hidden', async () => {
    await enterOverview('staff')
    await steps(4).getByRole('button', { name: 'Hide in this browser' }).click()
    await steps(4).waitFor({ state: 'detached' })
    await page.reload()
    await card(/^Spend$/).waitFor()
    expect(await steps(4).count()).toBe(0)
  })
})

describe('the reports that need attention', () => {
  const attention = () => card(/^Needs your attention/)
  const names = () => attention().locator('li > div a').allInnerTexts()

  it('are all there page by page, failures first, and few again', async () => {
    const api = await callerOf(started, 'manager')
    for (let number = 1; number <= 25; number++)
      expect((await api('POST', REPORTS, { name: `Draft ${number}` })).status).toBe(201)
    const all = () => read<Attention>(api, '/api/overview/attention/?limit=100')
    const shows = (from: number, to: number) =>
      agree(names, async () => (await all()).results.slice(from, to).map(({ report }) => report.name))
    const { count, results } = await all()
    expect(results.length).toBe(count)
    const kinds = results.map(({ reason }) => reason)
    const firstDraft = kinds.indexOf('gap')
    expect(kinds.slice(0, firstDraft).some(kind => kind.includes('failure'))).toBe(true)
    expect(kinds.slice(firstDraft).every(kind => kind === 'gap')).toBe(true)
    await enterOverview('manager')
    await attention()
      .getByRole('heading', { name: `Needs your attention (${count})` })
      .waitFor()
    await shows(0, 6)
    await attention()
      .getByRole('link', { name: `Show all ${count}` })
      .click()
    await shows(0, 20)
    await attention().getByRole('button', { name: 'Next page' }).click()
    await shows(20, 100)
    await page.reload()
    await shows(20, 100)
    await attention().getByRole('link', { name: 'Show fewer' }).click()
    await shows(0, 6)
  })
})

const REPORTS = '/api/gs-template-setting/'
const PASSWORD = 'seven quiet harbours'
const STEPS = [
  'Create a report',
  'Choose its spreadsheet',
  'Run it once',
  'Set a schedule',
  'Share it with somebody',
]

/** Somebody who serves a client and has no report yet. */
async function createNewcomer() {
  const { results } = await read<{ results: { id: number; name: string }[] }>(
    await callerOf(started, 'superuser'),
    '/api/ad/account/advertisers/',
  )
  const client = results.find(({ name }) => name === 'Aurora Cosmetics')
  return await createPerson(started, {
    username: 'newcomer',
    password: PASSWORD,
    full_name: 'Nina Novak',
    // Whose spreadsheets they own.
    email: 'newcomer@sheetcast.demo',
    advertisers: [client?.id],
  })
}

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()

type Days = { start: string; end: string }

/** Every day from the first to the last. */
function daysOf(range: Days): string[] {
  const days = []
  for (let day = range.start; day <= range.end; day = dayAfter(day)) days.push(day)
  return days
}

function ofDays(count: number) {
  return (now: Days | null, before: Days) =>
    now !== null && daysOf(now).length === count && daysOf(before).length === count
}

/** On the first of a month no day of it is over. */
function isThisMonth(now: Days | null, before: Days) {
  return now === null || (isFirst(now.start) && isFirst(before.start) && before.end < now.start)
}

function isLastMonth(now: Days | null, before: Days) {
  return (
    now !== null &&
    isFirst(now.start) &&
    isFirst(dayAfter(now.end)) &&
    isFirst(before.start) &&
    dayAfter(before.end) === now.start
  )
}

const isFirst = (day: string) => day.endsWith('-01')
