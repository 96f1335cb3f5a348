// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { account } from '#web/pages/customers/testing/samples.ts'
import { drawSettings } from '#web/pages/insight-settings/testing/draw-settings.tsx'
import { conversion } from '#web/pages/insight-settings/testing/samples.ts'
import { listOf } from '#web/testing/fake-server.ts'

const user = userEvent
const CONVERSIONS = '/api/insight-setting/conversions/'
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

const drawn = (search: object = {}, answers: Readonly<Record<string, unknown>> = {}) =>
  drawSettings({
    search: { tab: 'conversions', ...search },
    answers: { [`GET ${CONVERSIONS}`]: listOf([conversion()]), ...answers },
  })

describe('the conversion definitions', () => {
  it('are listed by advertiser, with what counts where', async () => {
    const other = conversion({
      id: 7,
      advertiser: 2,
      advertiser_name: 'Borealis',
      name: 'Leads',
      is_default: false,
      used_by: 0,
    })
    drawn({}, { [`GET ${CONVERSIONS}`]: listOf([conversion(), other]) })
    const group = within(await screen.findByRole('region', { name: 'Aurora' }))
    expect(group.getByText('Default').textContent).toBe('Default')
    expect(group.getByText(/^Purchases/).textContent).toBe('Purchases purchases')
    expect(group.getByText('Web order').textContent).toContain('Web order')
    expect(group.getByRole('img', { name: 'Google Ads' }).title).toBe('Google Ads')
    expect(group.getByText('3 reports').textContent).toBe('3 reports')
    const second = within(screen.getByRole('region', { name: 'Borealis' }))
    expect(second.queryByText('Default')).toBeNull()
    expect(second.getByText('No report').textContent).toBe('No report')
  })

  it('are asked for one advertiser after the other', async () => {
    const { calls } = drawn({ advertiser: 1, search: 'order' })
    await screen.findByRole('region', { name: 'Aurora' })
    expect(calls.find(({ path }) => path === CONVERSIONS)?.query).toMatchObject({
      search: 'order',
      advertiser: 1,
      ordering: 'advertiser_name',
    })
  })

  it('say how to begin, or lead back where none is found', async () => {
    drawn({}, { [`GET ${CONVERSIONS}`]: listOf([]) })
    expect((await screen.findByText('No conversion definitions yet')).textContent).not.toBe('')
    const { went } = drawn({ search: 'x' }, { [`GET ${CONVERSIONS}`]: listOf([]) })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toMatchObject([{ search: { search: '', tab: 'conversions' } }])
  })
})

describe('a new definition', () => {
  const actions = [
    { name: 'Web order', conversions: 1234, value: 88_000_000_000 },
    { name: 'Call', conversions: 1, value: null },
  ]

  async function begun(answers: Readonly<Record<string, unknown>> = {}) {
    const page = drawn(
      { advertiser: 1 },
      {
        'GET /api/ad/account/': listOf([account({ id: 12, channel: 'aw', name: 'Aurora Search' })]),
        [`GET ${CONVERSIONS}actions/`]: { channel: 'aw', actions, is_pending: false, code: null },
        ...answers,
      },
    )
    await user.click(await screen.findByRole('button', { name: 'New definition' }))
    return { ...page, form: await dialog('New definition') }
  }
  type Form = Awaited<ReturnType<typeof begun>>['form']
  async function name(form: Form) {
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Orders')
    await user.type(form.getByRole('textbox', { name: 'Name in Chinese' }), '訂單')
  }
  async function chooseAccount(form: Form) {
    await user.click(form.getByText('Google Ads'))
    await user.click(await form.findByRole('combobox', { name: 'Actions of an account' }))
    await user.click(await screen.findByRole('option', { name: /^Aurora Search/ }))
  }

  it('says what it changes', async () => {
    const { form } = await begun()
    expect(form.getByText(/CPA, CVR and ROAS/).textContent).not.toBe('')
  })

  it('counts actions of an account that are ticked', async () => {
    const { form, changes } = await begun({ [`POST ${CONVERSIONS}`]: conversion() })
    await name(form)
    await chooseAccount(form)
    const list = within(await form.findByRole('list', { name: 'Actions of the last 90 days' }))
    expect(list.getByText(/1,234 conversions/).textContent).toContain('NT$88,000')
    expect(list.getByText('1 conversion').textContent).toBe('1 conversion')
    await user.click(list.getByRole('checkbox', { name: 'Web order' }))
    await user.click(list.getByRole('checkbox', { name: 'Call' }))
    await user.click(list.getByRole('checkbox', { name: 'Call' }))
    await user.click(form.getByRole('switch', { name: /^Default/ }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    const body = {
      advertiser: 1,
      name: 'Orders',
      name_zh: '訂單',
      is_default: true,
      entries: [{ channel: 'aw', action: 'Web order' }],
    }
    await expect.poll(changes).toEqual([['POST', CONVERSIONS, body]])
  })

  it('counts metrics of the catalogue and actions by their names', async () => {
    const { form, changes } = await begun({ [`POST ${CONVERSIONS}`]: conversion() })
    await name(form)
    await user.click(form.getByRole('button', { name: 'Metrics of Meta ads' }))
    await user.click(await screen.findByRole('option', { name: /^Purchases/ }))
    await user.keyboard('{Escape}')
    await user.type(form.getByRole('textbox', { name: 'Action by its name' }), 'custom.event')
    await user.click(form.getByRole('button', { name: 'Add' }))
    const chosen = within(form.getByRole('list', { name: 'Chosen' }))
    expect(chosen.getAllByRole('listitem')).toHaveLength(2)
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect
      .poll(() => changes()[0]?.[2])
      .toMatchObject({
        entries: [
          { channel: 'fb', metric: 'purchases' },
          { channel: 'fb', action: 'custom.event' },
        ],
      })
  })

  it('is not sent while two of them count one event', async () => {
    const { form, changes } = await begun()
    await name(form)
    const field = form.getByRole('textbox', { name: 'Action by its name' })
    for (const action of ['purchase', 'omni_purchase']) {
      await user.type(field, action)
      await user.click(form.getByRole('button', { name: 'Add' }))
    }
    expect(form.getByText(/^purchase and omni_purchase count the same event/).textContent).not.toBe('')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(changes()).toEqual([])
    await user.click(
      within(form.getByRole('list', { name: 'Chosen' })).getByRole('button', {
        name: 'Remove omni_purchase',
      }),
    )
    expect(form.queryByText(/count the same event/)).toBeNull()
  })

  it('marks what is missing, and what the server refuses', async () => {
    const fields = { entries: ['conversion_overlaps' as const] }
    const { form } = await begun({
      [`POST ${CONVERSIONS}`]: new Problem({ code: 'invalid', status: 400, fields }),
    })
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getAllByText('Please fill this in.')).toHaveLength(3)
    await name(form)
    await user.type(form.getByRole('textbox', { name: 'Action by its name' }), 'lead')
    await user.click(form.getByRole('button', { name: 'Add' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect((await form.findByText(/^Two of these count the same event/)).textContent).not.toBe('')
  })

  it.each([
    [
      'prepares the list',
      { channel: 'aw', actions: [], is_pending: true, code: null },
      /^The platform prepares/,
    ],
    ['counted nothing', { channel: 'aw', actions: [], is_pending: false, code: null }, /counted nothing/],
    [
      'did not respond',
      { channel: 'aw', actions: [], is_pending: false, code: 'platform_timeout' },
      /did not/,
    ],
    ['cannot be asked', new Problem({ code: 'rate_limited', status: 429 }), /Too many requests/],
  ])('says when the platform %s', async (_, answer, text) => {
    const { form } = await begun({ [`GET ${CONVERSIONS}actions/`]: answer })
    await chooseAccount(form)
    expect((await form.findByText(text)).textContent).not.toBe('')
  })

  it('says when the advertiser has no account of the channel', async () => {
    const { form } = await begun({ 'GET /api/ad/account/': listOf([]) })
    expect((await form.findByText(/^The advertiser has no account of Meta ads/)).textContent).not.toBe('')
  })

  it('asks for the advertiser first', async () => {
    drawn({}, { [`POST ${CONVERSIONS}`]: conversion() })
    await user.click(await screen.findByRole('button', { name: 'New definition' }))
    const form = await dialog('New definition')
    expect(form.queryByRole('group', { name: 'What counts' })).toBeNull()
    await user.click(form.getByRole('combobox', { name: 'Advertiser' }))
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    expect((await form.findByRole('group', { name: 'What counts' })).textContent).not.toBe('')
  })
})

describe('the open definition', () => {
  const opened = (answers: Readonly<Record<string, unknown>>) =>
    drawn({ conversion: 6 }, { [`GET ${CONVERSIONS}6/`]: conversion(), ...answers })

  it('sends what was changed', async () => {
    const { changes } = opened({ [`PATCH ${CONVERSIONS}6/`]: conversion({ version: 2 }) })
    const form = await dialog('Orders')
    await user.click(form.getByRole('button', { name: 'Remove Web order' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    const body = { entries: [{ channel: 'fb', metric: 'purchases' }], version: 1 }
    await expect.poll(changes).toEqual([['PATCH', `${CONVERSIONS}6/`, body]])
  })

  it('keeps theirs when somebody else has saved meanwhile', async () => {
    const newer = conversion({ version: 2, name_zh: '成交' })
    const conflict = new Problem({ code: 'conflict', status: 409, body: { conversion: newer } })
    opened({ [`PATCH ${CONVERSIONS}6/`]: conflict })
    const form = await dialog('Orders')
    const field = form.getByRole<HTMLInputElement>('textbox', { name: 'Name in Chinese' })
    await user.type(field, '!')
    await user.click(form.getByRole('button', { name: 'Save' }))
    await user.click(await form.findByRole('button', { name: 'Discard mine' }))
    expect(field.value).toBe('成交')
  })

  it('is deleted, unless reports have it', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { reports: 3 } } })
    opened({ [`DELETE ${CONVERSIONS}6/`]: inUse })
    const form = await dialog('Orders')
    await user.click(form.getByRole('button', { name: 'Delete this definition' }))
    await user.click((await dialog('Delete Orders?')).getByRole('button', { name: 'Delete' }))
    expect((await dialog('Orders is in use')).getByText('3 reports').textContent).toBe('3 reports')
  })

  it('says so when there is none', async () => {
    opened({ [`GET ${CONVERSIONS}6/`]: new Problem({ code: 'not_found', status: 404 }) })
    const drawer = await dialog('Conversion definition')
    expect((await drawer.findByText('This does not exist.')).textContent).not.toBe('')
    expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  })
})
