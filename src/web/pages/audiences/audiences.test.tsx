// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { listOf } from '#web/testing/fake-server.ts'
import { drawAudiences } from './testing/draw-audiences.tsx'
import { accountOf, audienceOf, shareOf, uploadOf } from './testing/samples.ts'

afterEach(() => vi.restoreAllMocks())

const row = async (name: string) =>
  within((await screen.findByRole('button', { name })).closest('tr') ?? document.body)

describe('the list of audiences', () => {
  it('says of each whose it is, how many people, and how it stands at each account', async () => {
    const google = shareOf({
      id: 32,
      ad_account_name: 'Aurora Search',
      channel: 'aw',
      state: 'failed',
      size: null,
    })
    const gone = shareOf({ id: 33, ad_account_name: 'Aurora old', state: 'removed' })
    drawAudiences({
      answers: {
        'GET /api/lta/': listOf([
          audienceOf({ shares: [shareOf(), google, gone], last_upload: uploadOf() }),
          audienceOf({ id: 6, name: 'Cedar cart', kind: 'website', status: 'ready', rows: 0 }),
          audienceOf({ id: 7, name: 'Borealis 2025', status: 'expired' }),
        ]),
      },
    })
    const vip = await row('Aurora VIP 2026')
    expect(vip.getAllByText('Aurora').length).toBeGreaterThan(0)
    expect(vip.getByText('5,000').isConnected).toBe(true)
    expect(vip.getAllByTitle('Aurora Meta: Ready, 3400–3600').length).toBeGreaterThan(0)
    expect(vip.getAllByTitle('Aurora Search: Failed').length).toBeGreaterThan(0)
    expect(vip.queryByTitle(/Aurora old/)).toBeNull()
    const cart = await row('Cedar cart')
    expect(cart.getByText('Website visitors').isConnected).toBe(true)
    expect(cart.getAllByText('Not shared').length).toBeGreaterThan(0)
    expect(cart.queryByText('0')).toBeNull()
    expect((await row('Borealis 2025')).getByText('Expired').isConnected).toBe(true)
  })

  it('is asked for as its address says', async () => {
    const search = { search: 'vip', kind: 'customer_file', share_state: 'failed', channel: 'fb', page: 2 }
    const { calls } = drawAudiences({ search })
    await row('Aurora VIP 2026')
    expect(calls.find(({ path }) => path === '/api/lta/')?.query).toEqual({
      search: 'vip',
      kind: 'customer_file',
      share_state: 'failed',
      channel: 'fb',
      ordering: '-last_modified_at',
      limit: 10,
      offset: 10,
    })
  })

  it('is filtered, ordered and opened in the address', async () => {
    const { went } = drawAudiences({ search: { page: 3 } })
    await userEvent.click(await screen.findByRole('button', { name: 'Filters' }))
    await userEvent.click(screen.getByRole('combobox', { name: 'Kind' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Lookalike' }))
    await userEvent.click(screen.getByRole('button', { name: 'People' }))
    await userEvent.click(screen.getByRole('button', { name: 'Aurora VIP 2026' }))
    await expect
      .poll(() => went.map(each => Object(each).search))
      .toEqual([
        { search: '', page: 1, kind: 'lookalike' },
        { search: '', page: 1, ordering: expect.stringMatching(/^-?rows$/) },
        { search: '', page: 3, audience: 5 },
      ])
  })

  it('says what it is for while it is empty, and that nothing is found where it is filtered', async () => {
    drawAudiences({ answers: { 'GET /api/lta/': listOf([]) } })
    expect((await screen.findByText('No audiences yet')).isConnected).toBe(true)
  })

  it('offers to clear the filters that find nothing', async () => {
    const { went } = drawAudiences({ search: { status: 'draft' }, answers: { 'GET /api/lta/': listOf([]) } })
    expect((await screen.findByText('No audiences match the filters.')).isConnected).toBe(true)
    const [clear] = screen.getAllByRole('button', { name: 'Clear filters' })
    await userEvent.click(clear ?? document.body)
    await expect.poll(() => Object(went[0]).search).toEqual({ search: '', page: 1 })
  })

  it('says that it could not be read', async () => {
    drawAudiences({ answers: { 'GET /api/lta/': new Problem({ code: 'forbidden', status: 403 }) } })
    expect((await screen.findByRole('alert')).textContent).not.toBe('')
  })
})

describe('a client', () => {
  const mine = (plan: number) => ({
    identity: 'external_user' as const,
    answers: { 'GET /users/7/': { user_id: 7, plan } },
  })

  it('of the plan Basic reads the list, and reads why there is nothing to change', async () => {
    drawAudiences(mine(0))
    expect((await screen.findByText(/Your plan is Basic/)).isConnected).toBe(true)
    expect(screen.queryByRole('button', { name: 'New audience' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Erase personal data' })).toBeNull()
    expect((await row('Aurora VIP 2026')).getByText('5,000').isConnected).toBe(true)
  })

  it('of the plan Advanced may change it', async () => {
    drawAudiences(mine(1))
    expect((await screen.findByRole('button', { name: 'New audience' })).isConnected).toBe(true)
    expect(screen.queryByText(/Your plan is Basic/)).toBeNull()
  })

  it('need not choose among one advertiser, and chooses among theirs otherwise', async () => {
    const { calls } = drawAudiences(mine(1))
    await userEvent.click(await screen.findByRole('button', { name: 'New audience' }))
    const chosen = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Advertiser' })
    await expect.poll(() => chosen.value).toBe('Aurora')
    await userEvent.click(chosen)
    expect(await screen.findAllByRole('option')).toHaveLength(1)
    // A list of advertisers is for the agency alone.
    expect(calls.filter(({ path }) => path.startsWith('/api/advertiser/'))).toEqual([])
  })

  it.each([
    ['New audience', 'Name'],
    ['Erase personal data', /E-mail address or phone/],
  ])('may open "%s" before it is known which one they have', async (button, field) => {
    const accounts = Promise.withResolvers<unknown>()
    drawAudiences({
      ...mine(1),
      answers: { ...mine(1).answers, 'GET /api/ad/account/': () => accounts.promise },
    })
    await userEvent.click(await screen.findByRole('button', { name: button }))
    await userEvent.type(await screen.findByRole('textbox', { name: field }), 'May')
    const chosen = screen.getByRole<HTMLInputElement>('combobox', { name: 'Advertiser' })
    expect(chosen.value).toBe('')
    accounts.resolve(listOf([accountOf()]))
    await expect.poll(() => chosen.value).toBe('Aurora')
  })
})
