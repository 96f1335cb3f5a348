// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { Problem } from '#web/client/problem.ts'
import { toasts } from '#web/client/toasts.ts'
import { switchLanguage } from '#web/i18n/i18n.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { Businesses } from './businesses.tsx'
import { businessesSearch } from './search.ts'
import { agency, disabled, outlet, unassigned } from './testing/samples.ts'

const user = userEvent
const ACCOUNTS = 'GET /api/fb-business/adaccount/'
const aurora = { id: 1, name: 'Aurora', is_active: true }

interface Drawn {
  answers?: Record<string, unknown>
  search?: object
  identity?: IdentityName
}

function drawPage({ answers = {}, search = {}, identity = 'manager' }: Drawn = {}) {
  const calls = serve({
    'GET /api/fb-business/': { 1: 'Sheetcast Agency', 2: 'Second Agency' },
    'GET /api/fb-business/1/': agency,
    'GET /api/fb-business/2/': { ...agency, id: 2 },
    [ACCOUNTS]: listOf([disabled, outlet, unassigned]),
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/advertiser/1/': aurora,
    ...answers,
  })
  const page = { path: '/bm-management', search: businessesSearch({ ...search }) }
  return { calls, went: drawAt(<Businesses />, page, { identity }) }
}
const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
const button = (name: string | RegExp) => screen.getByRole('button', { name })

describe('the page of business managers', () => {
  it('has a tab for each, and the accounts of the chosen one by urgency', async () => {
    const { calls } = drawPage({ search: { business: 2 } })
    await row(/Fjord Japan/)
    const tabs = within(screen.getByRole('navigation', { name: 'Business managers' }))
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Second Agency')
    expect(tabs.getAllByRole('link')[0]?.getAttribute('href')).toContain('business=1')
    expect(calls.find(({ path }) => path.endsWith('/adaccount/'))?.query).toMatchObject({
      business: 2,
      ordering: 'urgency',
      limit: 20,
    })
  })

  it('shows how an account stands, and how much of its cap is used', async () => {
    drawPage()
    const stopped = await row(/Fjord Japan/)
    for (const text of ['Disabled', 'payment risk', 'Another advertiser', 'Not visible', 'No cap'])
      expect(stopped.getAllByText(text).length, text).toBeGreaterThan(0)
    const near = await row(/Aurora Outlet/)
    // On a phone the columns are lines below the first cell, drawn beside them.
    const [meter] = near.getAllByRole('meter', { name: 'Spend cap of Aurora Outlet' })
    expect(meter?.getAttribute('value')).toBe('9010')
    expect(near.getAllByText(/90\.1\s?% used · NT\$99,000 left/).length).toBeGreaterThan(0)
    expect((await row(/Cedar US/)).getAllByText('No advertiser').length).toBeGreaterThan(0)
  })

  it('keeps its filters in the address', async () => {
    const search = { warn: 'cap', relation: 'client', status: 1, advertiser: 1, search: 'au', page: 2 }
    const { calls, went } = drawPage({ search })
    await row(/Fjord Japan/)
    expect(calls.find(({ path }) => path.endsWith('/adaccount/'))?.query).toMatchObject({
      warn: 'cap',
      relation: 'client',
      status: 1,
      advertiser: 1,
      search: 'au',
      offset: 20,
    })
    await user.click(screen.getByRole('combobox', { name: 'Relation' }))
    await user.click(await screen.findByRole('option', { name: 'Owned' }))
    expect(went).toMatchObject([{ search: { relation: 'owned', page: 1, warn: 'cap' } }])
  })

  it.each([
    [{ warn: 'none', relation: 'x', status: 'on', advertiser: -1, account: 'a', business: 0 }, {}],
    [
      { warn: 'urgent', status: 100, account: 3 },
      { warn: 'urgent', status: 100, account: 3 },
    ],
  ])('reads %j as %j', (raw, read) => {
    expect(businessesSearch(raw)).toEqual({ search: '', page: 1, ...read })
  })

  it('says that there is no business manager, and no account', async () => {
    drawPage({ answers: { 'GET /api/fb-business/': {} } })
    expect((await screen.findByText('No business manager')).isConnected).toBe(true)
  })

  it('offers to clear filters that find nothing', async () => {
    const { went } = drawPage({ search: { warn: 'stopped' }, answers: { [ACCOUNTS]: listOf([]) } })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
    expect(went[0]).not.toHaveProperty('search.warn')
  })

  it('says why the list could not be read, and tries again', async () => {
    const failure = new Problem({ code: 'platform_unavailable', status: 503 })
    const answers = [failure, failure, listOf([outlet])]
    drawPage({ answers: { [ACCOUNTS]: () => answers.shift() ?? listOf([outlet]) } })
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    expect((await row(/Aurora Outlet/)).getByRole('button', { name: 'Aurora Outlet' }).isConnected).toBe(true)
  })
})

describe('the age of the rows', () => {
  it('is shown, and why the last refresh failed', async () => {
    drawPage({ answers: { 'GET /api/fb-business/1/': { ...agency, problem: 'scope_missing' } } })
    expect((await screen.findByText(/The last refresh failed/)).isConnected).toBe(true)
    expect(screen.getByText(/Some permissions were not granted/).isConnected).toBe(true)
    expect(screen.getByText(/Read from Meta/).querySelector('time')?.dateTime).toBe(agency.refreshed_at)
  })

  it('is renewed on demand, once in a while', async () => {
    const limited = new Problem({ code: 'rate_limited', status: 429, retry_after_ms: 5000 })
    const { calls } = drawPage({ answers: { 'POST /api/fb-business/1/refresh/': limited } })
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    await expect.poll(() => toasts.get().at(-1)?.message).toContain('5')
    expect(changesIn(calls)).toHaveLength(1)
  })
})

describe('relating accounts', () => {
  it('is done for all selected ones at once', async () => {
    const { calls } = drawPage({
      answers: {
        'PATCH /api/fb-business/adaccount/12/': outlet,
        'PATCH /api/fb-business/adaccount/14/': { ...unassigned, advertiser: 1 },
      },
    })
    await row(/Cedar US/)
    await user.click(screen.getByRole('checkbox', { name: /Aurora Outlet/ }))
    await user.click(screen.getByRole('checkbox', { name: /Cedar US/ }))
    expect(screen.getByText('2 selected').isConnected).toBe(true)
    await user.click(button('Relate to advertiser'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Relate 2 accounts to an advertiser' }))
    await user.click(dialog.getByRole('button', { name: 'Relate' }))
    expect(dialog.getByText('Choose an advertiser.').isConnected).toBe(true)
    await user.click(dialog.getByRole('combobox', { name: /Advertiser/ }))
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    await user.click(dialog.getByRole('button', { name: 'Relate' }))
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
    expect(changesIn(calls).map(({ path, body }) => [path, body])).toEqual([
      ['/api/fb-business/adaccount/12/', { advertiser: 1 }],
      ['/api/fb-business/adaccount/14/', { advertiser: 1 }],
    ])
    expect(screen.queryByRole('toolbar')).toBeNull()
  })

  it('names those that were refused', async () => {
    const refused = new Problem({
      code: 'invalid',
      status: 400,
      fields: { advertiser: ['field_not_available'] },
    })
    drawPage({ answers: { 'PATCH /api/fb-business/adaccount/13/': refused } })
    await row(/Fjord Japan/)
    await user.click(screen.getByRole('checkbox', { name: /Fjord Japan/ }))
    await user.click(button('Relate to advertiser'))
    const dialog = within(await screen.findByRole('dialog'))
    await user.click(dialog.getByRole('combobox', { name: /Advertiser/ }))
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    await user.click(dialog.getByRole('button', { name: 'Relate' }))
    expect((await dialog.findByText('1 account could not be related')).isConnected).toBe(true)
    expect(dialog.getByText('Fjord Japan').isConnected).toBe(true)
  })

  it('is not offered to those who may not', async () => {
    drawPage({
      answers: { 'GET /api/fb-business/1/': { ...agency, may_relate: false, may_grant: false } },
      identity: 'external_user',
    })
    await row(/Aurora Outlet/)
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Refresh' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Access' })).toBeNull()
    expect(screen.queryByRole('combobox', { name: 'Advertiser' })).toBeNull()
  })
})

describe('the drawer of an account', () => {
  const users = 'GET /api/fb-business/adaccount/13/users/'

  it('opens from the list and has its details, people and history', async () => {
    const { went } = drawPage()
    await row(/Fjord Japan/)
    await user.click(button('Fjord Japan'))
    expect(went).toMatchObject([{ search: { account: 13, page: 1 } }])
  })

  it('says what is not visible, who works with it and what has changed', async () => {
    drawPage({
      search: { account: 13 },
      answers: { [users]: { users: [{ id: '1', name: 'Dana Wu', tasks: ['MANAGE'] }], problem: null } },
    })
    const drawer = within(await screen.findByRole('dialog', { name: 'Fjord Japan' }))
    expect((await drawer.findByText('Dana Wu')).isConnected).toBe(true)
    expect(drawer.getAllByText('Not visible').length).toBeGreaterThan(4)
    for (const text of [
      'Status: Active → Disabled',
      'Reason: none → payment risk',
      'Spend cap: ¥5 → none',
      'Listed again',
      'Relation: Owned → Client',
    ])
      expect(drawer.getByText(text).isConnected, text).toBe(true)
  })

  it('says why the people could not be read', async () => {
    drawPage({
      search: { account: 13 },
      answers: { [users]: { users: [], problem: 'credential_expired' } },
    })
    const drawer = within(await screen.findByRole('dialog', { name: 'Fjord Japan' }))
    expect((await drawer.findByText(/shared login of the platform has expired/)).isConnected).toBe(true)
  })

  it('has neither people nor payment for a client', async () => {
    drawPage({ search: { account: 12 }, identity: 'external_user' })
    const drawer = within(await screen.findByRole('dialog', { name: 'Aurora Outlet' }))
    for (const text of ['People at Meta', 'Funding', 'Balance due'])
      expect(drawer.queryByText(text)).toBeNull()
  })
})

describe('access', () => {
  it('is granted and withdrawn', async () => {
    const member = {
      user: 5,
      name: 'Mika Chen',
      is_client: false,
      granted_by_name: 'Dana Wu',
      created_at: agency.refreshed_at,
    }
    const { calls } = drawPage({
      identity: 'director',
      answers: {
        'GET /api/fb-business/1/members/': { results: [member] },
        'POST /api/fb-business/1/members/': { results: [member] },
        'DELETE /api/fb-business/1/members/5/': null,
        'GET /api/user/': listOf([
          { user_id: 5, full_name: 'Mika Chen', username: 'mika', identity: 'manager' },
          { user_id: 6, full_name: 'Alice', username: 'alice', identity: 'external_user' },
        ]),
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Access' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Access to Sheetcast Agency' }))
    expect((await dialog.findByText(/All accounts · granted by Dana Wu/)).isConnected).toBe(true)
    await user.click(dialog.getByRole('combobox', { name: 'Person' }))
    expect(screen.queryByRole('option', { name: 'Mika Chen' })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Alice' }))
    await user.click(dialog.getByRole('button', { name: 'Grant access' }))
    await user.click(dialog.getByRole('button', { name: 'Withdraw access from Mika Chen' }))
    await expect
      .poll(() => changesIn(calls).map(({ method, body }) => [method, body]))
      .toEqual([
        ['POST', { user: 6 }],
        ['DELETE', undefined],
      ])
  })
})

describe('in Chinese', () => {
  beforeAll(() => switchLanguage('zh-TW'))
  afterAll(() => switchLanguage('en'))

  it('states, reasons and caps are in the words of the field', async () => {
    drawPage()
    const stopped = await row(/Fjord Japan/)
    for (const text of ['停用', '付款風險'])
      expect(stopped.getAllByText(text).length, text).toBeGreaterThan(0)
    const near = await row(/Aurora Outlet/)
    expect(near.getAllByText(/已使用 90\.1\s?% · 剩餘 \$99,000/).length).toBeGreaterThan(0)
  })
})
