// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { defaultParseSearch } from '@tanstack/react-router'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import type { Advertiser } from '#shared/api/advertisers.ts'
import { Problem } from '#web/client/problem.ts'
import { monthsBetween } from '#web/ui/month.ts'
import { quotationOf, UNIT } from '#web/pages/orders/testing/example-quotation.ts'
import { paymentOf } from '#web/pages/payments/testing/example-payment.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { changesIn, listOf, serve } from '#web/testing/fake-server.ts'
import { account, aurora, beauty, northern, people, travel } from '#web/pages/customers/testing/samples.ts'
import { AdvertiserPage } from './advertiser-page.tsx'

const user = userEvent
const taiwan = account({ id: 11, name: 'Aurora Taiwan', advertiser: 1, advertiser_name: 'Aurora' })
const free = account({ id: 12, name: 'Free', advertiser: null, advertiser_name: null })
const property = account({ id: 13, name: 'Shop', channel: 'ga4', advertiser: 9, advertiser_name: 'Fjord' })
const months = monthsBetween('2025-11', '2026-11')
const spend = {
  months,
  series: [
    { channel: 'fb', currency: 'TWD', cost: months.map(() => 5_000_000), known: months.map(() => 'full') },
    { channel: 'aw', currency: 'USD', cost: months.map(() => null), known: months.map(() => 'none') },
  ],
  as_of: '2026-11-01T08:00:00.000Z',
}

interface Drawn {
  tab?: string
  row?: Partial<Advertiser>
  answers?: Readonly<Record<string, unknown>>
  identity?: IdentityName
}

/** The page of Aurora, as it is drawn once its row is there. */
async function drawn({ tab, row, answers, identity = 'manager' }: Drawn = {}) {
  const calls = serve({
    'GET /api/advertiser/1/': { ...aurora, ...row },
    'GET /api/advertiser/1/spend/': spend,
    'GET /api/advertiser/': listOf([aurora]),
    'GET /api/industry/': listOf([beauty, travel]),
    'GET /api/agent/': listOf([northern]),
    'GET /api/user/': listOf(people),
    'GET /api/department/': [{ id: 2, name: 'Marketing' }],
    'GET /api/ad/account/': ({ query }: { query: { advertiser?: number } }) =>
      listOf(query.advertiser === undefined ? [taiwan, free, property] : [taiwan]),
    ...answers,
  })
  const went = drawAt(
    <AdvertiserPage />,
    { path: '/customer/advertiser/$id', search: tab === undefined ? {} : { tab }, params: { id: '1' } },
    { identity },
  )
  await screen.findByRole('heading', { level: 1, name: /Aurora/ })
  const queries = (path: string) => calls.filter(call => call.path === path).map(({ query }) => query)
  return { went, changes: () => changesIn(calls), queries }
}

/** Of the address that a link leads to. */
const searchOf = (link: HTMLElement) =>
  defaultParseSearch(new URL(link.getAttribute('href') ?? '', 'http://localhost').search)
const button = (name: string) => screen.getByRole('button', { name })
const box = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name })
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const act = async (entry: string) => {
  await user.click(button('Actions for Aurora'))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}
const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent

describe('the page of an advertiser', () => {
  it('has its key facts, what is open and what is overdue', async () => {
    await drawn()
    await expect.poll(() => fact('Members')).toBe('Sam Huang')
    expect(fact('Tax ID')).toBe('10458570')
    expect(fact('Payment terms')).toBe('30 days after the end of the month')
    expect(fact('Service fee')).toBe('15%')
    expect(fact('Billing currency')).toBe('TWD')
    expect(fact('Open orders')).toBe('2')
    expect(fact('Overdue')).toBe('NT$88,988 1 payment overdue')
  })

  it('leads from these figures to the orders and to the payments', async () => {
    await drawn()
    expect(searchOf(screen.getByRole('link', { name: '2' }))).toEqual({ tab: 'orders' })
    expect(searchOf(screen.getByRole('link', { name: 'NT$88,988' }))).toMatchObject({
      group: 'overdue',
      advertiser: 1,
      currency: 'TWD',
    })
  })

  it('leads to contacts by mail and phone, and to brands with the same tax id', async () => {
    const contact = { title: 'CMO', phone: '02 2712-0000', email: 'amy@example.com', is_billing: true }
    await drawn({
      row: {
        contacts: [{ name: 'Amy Lin', ...contact }],
        shares_tax_id_with: [{ id: 3, name: 'Aurora Men' }],
      },
    })
    const href = (name: string) => screen.getByRole('link', { name }).getAttribute('href')
    expect(href('amy@example.com')).toBe('mailto:amy@example.com')
    expect(href('02 2712-0000')).toBe('tel:0227120000')
    expect(href('Aurora Men')).toBe('/customer/advertiser/3')
  })

  it('draws the spend of one currency at a time, that of its documents first', async () => {
    await drawn()
    await screen.findByRole('figure', { name: 'Spend by month and channel, in TWD' })
    await user.click(screen.getByRole('radio', { name: 'USD' }))
    await screen.findByText('No spend is known yet')
    expect(screen.queryByRole('figure')).toBeNull()
  })

  it('is not found where there is none, or none of theirs', async () => {
    serve({ 'GET /api/advertiser/99/': new Problem({ code: 'not_found', status: 404 }) })
    drawAt(<AdvertiserPage />, { path: '/customer/advertiser/$id', params: { id: '99' } })
    await screen.findByRole('heading', { name: 'This page does not exist' })
    expect(screen.queryByRole('navigation', { name: 'Advertiser' })).toBeNull()
  })
})

describe('its details', () => {
  it('are sent as far as they have changed', async () => {
    const { changes } = await drawn({
      tab: 'data',
      answers: { 'PATCH /api/advertiser/1/': { ...aurora, version: 5, legal_name: 'Aurora Ltd.' } },
    })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.clear(box('Legal name'))
    await user.type(box('Legal name'), 'Aurora Ltd.')
    await user.type(box('Website'), 'www.example.com')
    await user.click(button('Save'))
    await expect
      .poll(() => changes())
      .toMatchObject([
        { body: { version: 4, legal_name: 'Aurora Ltd.', website: 'https://www.example.com' } },
      ])
    expect(Object.keys(Object(changes()[0]?.body))).toHaveLength(3)
  })

  it('are discarded', async () => {
    await drawn({ tab: 'data' })
    await user.type(box('Address'), 'Taipei')
    await user.click(button('Discard changes'))
    expect(box('Address').value).toBe('')
  })

  it('keep both changes when somebody else has saved meanwhile', async () => {
    const changed = { note: 'Calls on Fridays', tax: 'zero_rated' }
    // The same terms, in the order of another answer.
    const newer = { ...aurora, version: 5, ...changed, payment_terms: { days: 30, kind: 'month_end' } }
    const conflict = new Problem({ code: 'conflict', status: 409, body: { advertiser: newer } })
    const answers = [conflict, { ...newer, version: 6 }]
    const { changes } = await drawn({
      tab: 'data',
      answers: { 'PATCH /api/advertiser/1/': () => answers.shift() },
    })
    await user.type(box('Address'), 'Taipei')
    await user.click(button('Save'))
    await screen.findByText('They changed: Tax, Note.')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
    await user.click(button('Keep my changes too'))
    expect([box('Address').value, box('Note').value]).toEqual(['Taipei', 'Calls on Fridays'])
    await user.click(button('Save'))
    await expect
      .poll(() => changes().map(({ body }) => body))
      .toEqual([
        { address: 'Taipei', version: 4 },
        { address: 'Taipei', version: 5 },
      ])
  })

  it('show what the server refuses at its field', async () => {
    const refusal = new Problem({ code: 'invalid', status: 400, fields: { name: ['name_taken'] } })
    await drawn({ tab: 'data', answers: { 'PATCH /api/advertiser/1/': refusal } })
    await user.type(box('Name'), ' 2')
    await user.click(button('Save'))
    await screen.findByText('This name is already taken.')
    expect(box('Name').getAttribute('aria-invalid')).toBe('true')
  })
})

describe('its members', () => {
  it('are added from everybody who is none yet', async () => {
    const { changes } = await drawn({ tab: 'members', answers: { 'PATCH /api/advertiser/1/': aurora } })
    await screen.findByRole('row', { name: /Sam Huang/ })
    await user.click(button('Add members'))
    await screen.findByRole('option', { name: /Mika Chen/ })
    expect(screen.queryByRole('option', { name: /Sam Huang/ })).toBeNull()
    await user.click(screen.getByRole('option', { name: /Mika Chen/ }))
    await user.keyboard('{Escape}')
    await user.click(button('Add'))
    await expect.poll(() => changes()).toMatchObject([{ body: { version: 4, members: [7, 8] } }])
  })

  it('are removed once that is confirmed', async () => {
    const { changes } = await drawn({ tab: 'members', answers: { 'PATCH /api/advertiser/1/': aurora } })
    await user.click(await screen.findByRole('button', { name: 'Actions for Sam Huang' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Remove' }))
    const question = await dialog('Remove Sam Huang from Aurora?')
    await user.click(question.getByRole('button', { name: 'Remove' }))
    await expect.poll(() => changes()).toMatchObject([{ body: { version: 4, members: [] } }])
  })
})

describe('its accounts', () => {
  it('are listed by channel, and released once that is confirmed', async () => {
    const { changes } = await drawn({
      tab: 'accounts',
      answers: { 'DELETE /api/advertiser/relate/ad-account/': { advertiser: 1, ad_accounts: [] } },
    })
    await screen.findByRole('heading', { name: /Meta ads/ })
    await user.click(button('Release Aurora Taiwan'))
    const question = await dialog('Release Aurora Taiwan from Aurora?')
    await user.click(question.getByRole('button', { name: 'Release' }))
    await expect.poll(() => changes()).toMatchObject([{ body: { advertiser: 1, ad_accounts: [11] } }])
  })

  it('are related, views by their own call; who loses one is named first', async () => {
    const { changes } = await drawn({
      tab: 'accounts',
      answers: {
        'POST /api/advertiser/relate/ad-account/': { advertiser: 1, ad_accounts: [11, 12] },
        'POST /api/advertiser/relate/ga-view/': { advertiser: 1, ga_views: [13] },
      },
    })
    await user.click(await screen.findByRole('button', { name: 'Relate accounts' }))
    const form = await dialog('Relate accounts')
    await user.click(form.getByRole('button', { name: 'Accounts' }))
    await user.click(await screen.findByRole('option', { name: /^Free/ }))
    await user.click(screen.getByRole('option', { name: /^Shop/ }))
    expect(screen.queryByRole('option', { name: /^Aurora Taiwan/ })).toBeNull()
    await user.keyboard('{Escape}')
    expect(form.getByText(/^They belong to Fjord now/).textContent).toContain('will move to Aurora')
    await user.click(form.getByRole('button', { name: 'Relate' }))
    await expect
      .poll(() => changes().map(({ path, body }) => [path, body]))
      .toEqual([
        ['/api/advertiser/relate/ad-account/', { advertiser: 1, ad_accounts: [12] }],
        ['/api/advertiser/relate/ga-view/', { advertiser: 1, ga_views: [13] }],
      ])
  })

  it('are counted for whoever may not use them', async () => {
    await drawn({ tab: 'accounts', answers: { 'GET /api/ad/account/': listOf([]) } })
    await screen.findByText('4 accounts that you may not use')
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('its orders', () => {
  const draft = { ...quotationOf({ id: 4, title: 'Spring' }), start: '2026-11-01', end: '2026-11-30' }
  const accepted = quotationOf({
    id: 3,
    title: 'Autumn',
    status: 'accepted',
    label: 'Q2026-0003',
    total: 296_624 * UNIT,
  })
  const late = paymentOf({ quotation: 3, status: 'overdue', due_on: '2020-01-01' })
  const ofMonth = paymentOf({ id: 6, number: 'P2026-0002', quotation: null, month: '2026-10' })
  const opened = (more: Drawn = {}) =>
    drawn({
      tab: 'orders',
      ...more,
      answers: {
        'GET /api/ad_insertion/quotation/': listOf([draft, accepted]),
        'GET /api/ad_insertion/payment/': listOf([late, ofMonth]),
        ...more.answers,
      },
    })
  const rowOf = async (name: RegExp) => within(await screen.findByRole('row', { name }))

  it('are listed with their state, days and total, of it alone', async () => {
    const { queries } = await opened()
    const row = await rowOf(/Autumn/)
    row.getByText('Q2026-0003')
    row.getByText('NT$296,624')
    expect(row.getAllByText('Accepted').length).toBeGreaterThan(0)
    expect((await rowOf(/Spring/)).getAllByText('– 2026-11-30').length).toBeGreaterThan(0)
    const link = row.getByRole('link', { name: 'Autumn' })
    expect(link.getAttribute('href')).toBe('/customer/insertion-order/3')
    expect(screen.queryByRole('columnheader', { name: 'Advertiser' })).toBeNull()
    expect(queries('/api/ad_insertion/quotation/')).toMatchObject([{ advertiser: 1 }])
  })

  it('lead to a new one, and to all of them', async () => {
    await opened()
    expect(searchOf(screen.getByRole('link', { name: 'Write a quotation' }))).toEqual({ advertiser: 1 })
    expect(searchOf(screen.getByRole('link', { name: 'All orders' }))).toMatchObject({ advertiser: 1 })
    expect(searchOf(screen.getByRole('link', { name: 'All payments' }))).toMatchObject({ advertiser: 1 })
  })

  it('are offered for nothing new once it is inactive', async () => {
    await opened({ row: { is_active: false } })
    await rowOf(/Autumn/)
    expect(screen.queryByRole('link', { name: 'Write a quotation' })).toBeNull()
  })

  it('have their payments below, each of which leads to itself', async () => {
    await opened()
    const row = await rowOf(/P2026-0001/)
    expect(row.getAllByText('2020-01-01').length).toBeGreaterThan(0)
    expect(row.getAllByText('Overdue').length).toBeGreaterThan(0)
    const link = row.getByRole('link', { name: 'P2026-0001' })
    expect(searchOf(link)).toMatchObject({ advertiser: 1, payment: 5 })
    expect((await rowOf(/P2026-0002/)).getAllByText('Spending of 2026-10').length).toBeGreaterThan(0)
  })

  it('are sorted', async () => {
    const { queries } = await opened()
    await rowOf(/Autumn/)
    await user.click(button('Total'))
    await expect
      .poll(() => queries('/api/ad_insertion/quotation/').at(-1))
      .toMatchObject({ advertiser: 1, ordering: 'total' })
  })

  it('may be none, or not be there', async () => {
    const problem = new Problem({ code: 'internal_error', status: 500 })
    await opened({
      answers: {
        'GET /api/ad_insertion/quotation/': listOf([]),
        'GET /api/ad_insertion/payment/': problem,
      },
    })
    await screen.findByText('No insertion orders yet')
    await screen.findByRole('button', { name: 'Try again' })
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('what can be done with it', () => {
  it('is deactivated once that is confirmed, and activated at once', async () => {
    const { changes } = await drawn({ answers: { 'PATCH /api/advertiser/1/': aurora } })
    await act('Deactivate')
    const question = await dialog('Deactivate Aurora?')
    await user.click(question.getByRole('button', { name: 'Deactivate' }))
    await expect.poll(() => changes()).toMatchObject([{ body: { version: 4, is_active: false } }])
  })

  it('is deactivated instead of deleted while it is in use', async () => {
    const by = { accounts: 4, reports: 1, quotations: 2 }
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by } })
    const { changes } = await drawn({
      answers: { 'DELETE /api/advertiser/1/': inUse, 'PATCH /api/advertiser/1/': aurora },
    })
    await act('Delete')
    const question = await dialog('Delete Aurora?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    const refusal = await dialog('Aurora is in use')
    const reasons = refusal.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(reasons).toEqual(['4 accounts', '1 report', '2 quotations'])
    await user.click(refusal.getByRole('button', { name: 'Deactivate' }))
    await expect.poll(() => changes().at(-1)?.body).toEqual({ version: 4, is_active: false })
  })

  it('is deleted where nothing points to it, and the list is opened', async () => {
    const { went, changes } = await drawn({ answers: { 'DELETE /api/advertiser/1/': null } })
    await act('Delete')
    const question = await dialog('Delete Aurora?')
    await user.click(question.getByRole('button', { name: 'Delete' }))
    await expect.poll(() => went).toMatchObject([{ to: '/customer/advertiser' }])
    expect(changes()).toMatchObject([{ method: 'DELETE', body: { version: 4 } }])
  })

  it('is not deleted by staff', async () => {
    await drawn({ identity: 'staff' })
    await user.click(button('Actions for Aurora'))
    await screen.findByRole('menuitem', { name: 'Deactivate' })
    expect(screen.getAllByRole('menuitem')).toHaveLength(1)
  })
})
