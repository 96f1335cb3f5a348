// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { account } from '#web/pages/customers/testing/samples.ts'
import { drawSettings } from '#web/pages/insight-settings/testing/draw-settings.tsx'
import { metric, ofAurora } from '#web/pages/insight-settings/testing/samples.ts'
import { listOf } from '#web/testing/fake-server.ts'

const user = userEvent
const METRICS = '/api/insight-setting/metrics/'
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))

describe('the list of calculated metrics', () => {
  it('has the formula with the names of its metrics, the channels, and who uses it', async () => {
    drawSettings({ answers: { [`GET ${METRICS}`]: listOf([metric()]) } })
    const row = within(await screen.findByRole('row', { name: /^Cost per result/ }))
    const [formula] = row.getAllByText(
      (_, element) => element?.tagName === 'RUBY' && element.textContent === 'purchasesPurchases',
    )
    expect(formula?.querySelector('rt')?.textContent).toBe('Purchases')
    expect(row.getAllByRole('img', { name: 'Meta ads' }).length).toBeGreaterThan(0)
    expect(row.getAllByText('14 reports').length).toBeGreaterThan(0)
    expect(row.getByText(/The whole agency/).textContent).toBe('單次成果成本 · The whole agency')
    expect(row.queryByText('Inactive')).toBeNull()
  })

  it('marks those that are inactive, unused, or of one advertiser', async () => {
    const own = metric({ ...ofAurora, is_active: false, used_by: 0 })
    drawSettings({ answers: { [`GET ${METRICS}`]: listOf([own]) } })
    const row = within(await screen.findByRole('row', { name: /^Cost per result/ }))
    expect(row.getByText('Inactive').textContent).toBe('Inactive')
    expect(row.getAllByText('No report').length).toBeGreaterThan(0)
    expect(row.getByText(/Aurora/).textContent).toContain('Aurora')
  })

  it('asks for what its address says', async () => {
    const search = { search: 'cost', page: 2, advertiser: 'agency', is_active: true, ordering: '-name' }
    const { calls } = drawSettings({ search, answers: { [`GET ${METRICS}`]: listOf([metric()]) } })
    await screen.findByRole('row', { name: /^Cost per result/ })
    const request = calls.find(({ path }) => path === METRICS)
    expect(request?.query).toEqual({
      search: 'cost',
      ordering: '-name',
      advertiser: 'agency',
      is_active: true,
      limit: 10,
      offset: 10,
    })
  })

  it('is filtered by whose they are and by whether they are active', async () => {
    const { went } = drawSettings({ answers: { [`GET ${METRICS}`]: listOf([metric()]) } })
    await user.click(await screen.findByRole('combobox', { name: 'Advertiser' }))
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    await user.click(screen.getByRole('combobox', { name: 'Status' }))
    await user.click(await screen.findByRole('option', { name: 'Inactive' }))
    expect(went).toMatchObject([{ search: { advertiser: 1 } }, { search: { is_active: false } }])
  })

  it('says how to begin, or leads back where none is found', async () => {
    drawSettings()
    expect((await screen.findByText('No calculated metrics yet')).textContent).not.toBe('')
    const { went } = drawSettings({ search: { advertiser: 1 } })
    await user.click(await screen.findByRole('button', { name: 'Clear filters' }))
    expect(went).toMatchObject([{ search: { search: '', page: 1 } }])
  })

  it('opens one by its address', async () => {
    const { went } = drawSettings({ answers: { [`GET ${METRICS}`]: listOf([metric()]) } })
    await user.click(await screen.findByRole('button', { name: 'Cost per result' }))
    expect(went).toMatchObject([{ search: { metric: 4, page: 1 } }])
  })
})

async function begunNew(
  answers: Readonly<Record<string, unknown>> = {},
  identity: 'staff' | 'manager' = 'manager',
) {
  const drawn = drawSettings({ answers, identity })
  const [button] = await screen.findAllByRole('button', { name: 'New metric' })
  if (button) await user.click(button)
  return { ...drawn, form: await dialog('New metric') }
}

describe('a new metric', () => {
  it('is sent as it was written', async () => {
    const { form, changes } = await begunNew({ [`POST ${METRICS}`]: metric() })
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'Cost per result')
    await user.type(form.getByRole('textbox', { name: 'Name in Chinese' }), '單次成果成本')
    await user.type(form.getByRole('textbox', { name: 'Formula' }), 'cost / purchases')
    await user.click(form.getByRole('combobox', { name: 'Unit' }))
    await user.click(await screen.findByRole('option', { name: 'Money' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    const body = {
      advertiser: null,
      name: 'Cost per result',
      name_zh: '單次成果成本',
      explanation: '',
      formula: 'cost / purchases',
      unit: 'money',
      decimals: 2,
      is_active: true,
    }
    await expect.poll(changes).toEqual([['POST', METRICS, body]])
  })

  it('underlines where its formula is wrong, and says why', async () => {
    const { form, changes } = await begunNew()
    const field = form.getByRole<HTMLTextAreaElement>('textbox', { name: 'Formula' })
    await user.type(field, 'cost ** 2')
    expect(screen.getByRole('dialog').querySelector('mark')?.textContent).toBe('*')
    const said = form.getByText(/^“\*” at character 7/)
    expect(said.getAttribute('aria-live')).toBe('polite')
    expect(field.getAttribute('aria-describedby')).toBe(said.id)
    expect(field.getAttribute('aria-invalid')).toBe('true')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(changes()).toEqual([])
  })

  it.each([
    ['cost +', 'Something is missing at the end.'],
    ['cost / wins', 'There is no metric wins that can be calculated with.'],
    ['frequency / sessions', 'No channel has sessions together with the metrics before it.'],
    ['cost + clicks', 'Money and counts cannot be added or subtracted.'],
  ])('says of %s: %s', async (formula, text) => {
    const { form } = await begunNew()
    await user.type(form.getByRole('textbox', { name: 'Formula' }), formula)
    expect(form.getByText(text).textContent).toBe(text)
    expect(form.queryByText(/^Offered by/)).toBeNull()
  })

  it('says which channels offer it', async () => {
    const { form } = await begunNew()
    await user.type(form.getByRole('textbox', { name: 'Formula' }), 'cost / (purchases + leads)')
    expect(form.getByText('Offered by Meta ads, LINE ads.').textContent).not.toBe('')
  })

  it('takes metrics and operators at the cursor', async () => {
    const { form } = await begunNew()
    const field = form.getByRole<HTMLTextAreaElement>('textbox', { name: 'Formula' })
    await user.type(field, 'cost')
    await user.click(form.getByRole('button', { name: 'Divided by' }))
    await user.type(form.getByRole('textbox', { name: 'Metrics to put in' }), 'website purchases')
    const [found] = form.getAllByRole('button', { name: /purchase/i })
    if (found) await user.click(found)
    expect(field.value).toMatch(/^cost ÷ \w+$/)
    field.setSelectionRange(0, 4)
    await user.click(form.getByRole('button', { name: 'Open parenthesis' }))
    expect(field.value).toMatch(/^\( ÷ \w+$/)
  })

  it('marks what is missing, and what the server refuses', async () => {
    const fields = { name: ['name_taken' as const], formula: ['formula_units' as const] }
    const { form } = await begunNew({
      [`POST ${METRICS}`]: new Problem({ code: 'invalid', status: 400, fields }),
    })
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getAllByText('Please fill this in.')).toHaveLength(3)
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'a')
    await user.type(form.getByRole('textbox', { name: 'Name in Chinese' }), 'b')
    await user.type(form.getByRole('textbox', { name: 'Formula' }), 'clicks')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect((await form.findByText('This name is already taken.')).textContent).not.toBe('')
    expect(form.getByText(/Money and counts/).textContent).not.toBe('')
  })

  it('of staff is for an advertiser', async () => {
    const { form, changes } = await begunNew({ [`POST ${METRICS}`]: metric(ofAurora) }, 'staff')
    await user.type(form.getByRole('textbox', { name: 'Name' }), 'a')
    await user.type(form.getByRole('textbox', { name: 'Name in Chinese' }), 'b')
    await user.type(form.getByRole('textbox', { name: 'Formula' }), 'clicks')
    await user.click(form.getByRole('button', { name: 'Create' }))
    expect(form.getByText('Please fill this in.').textContent).not.toBe('')
    await user.click(form.getByRole('combobox', { name: 'For' }))
    expect(screen.queryByRole('option', { name: 'The whole agency' })).toBeNull()
    await user.click(await screen.findByRole('option', { name: 'Aurora' }))
    await user.click(form.getByRole('button', { name: 'Create' }))
    await expect.poll(changes).toMatchObject([['POST', METRICS, { advertiser: 1, formula: 'clicks' }]])
  })
})

describe('the open metric', () => {
  const opened = (row = metric(), answers: Readonly<Record<string, unknown>> = {}) =>
    drawSettings({
      search: { metric: 4 },
      answers: { [`GET ${METRICS}`]: listOf([row]), [`GET ${METRICS}4/`]: row, ...answers },
    })

  it('sends what was changed', async () => {
    const { changes, went } = opened(metric(), { [`PATCH ${METRICS}4/`]: metric({ version: 2 }) })
    const form = await dialog('Cost per result')
    expect(form.getByText(/14 reports have this metric/).textContent).not.toBe('')
    await user.click(form.getByRole('switch', { name: /^Active/ }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([['PATCH', `${METRICS}4/`, { is_active: false, version: 1 }]])
    await expect.poll(() => went).toMatchObject([{ search: { page: 1 } }])
  })

  it('keeps both changes when somebody else has saved meanwhile', async () => {
    const newer = metric({ version: 2, explanation: 'Theirs' })
    const answers = [new Problem({ code: 'conflict', status: 409, body: { metric: newer } }), newer]
    const { changes } = opened(metric(), { [`PATCH ${METRICS}4/`]: () => answers.shift() })
    const form = await dialog('Cost per result')
    await user.type(form.getByRole('textbox', { name: 'Name' }), '!')
    await user.click(form.getByRole('button', { name: 'Save' }))
    await form.findByText('They changed: Explanation.')
    await user.click(form.getByRole('button', { name: 'Keep my changes too' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await expect
      .poll(() => changes().at(-1))
      .toEqual(['PATCH', `${METRICS}4/`, { name: 'Cost per result!', version: 2 }])
  })

  it('is deactivated instead where reports have it', async () => {
    const inUse = new Problem({ code: 'in_use', status: 409, body: { by: { reports: 14 } } })
    const { changes } = opened(metric(), { [`DELETE ${METRICS}4/`]: inUse, [`PATCH ${METRICS}4/`]: metric() })
    const form = await dialog('Cost per result')
    await user.click(form.getByRole('button', { name: 'Delete this metric' }))
    await user.click((await dialog('Delete Cost per result?')).getByRole('button', { name: 'Delete' }))
    const question = await dialog('Cost per result is in use')
    expect(question.getByText('14 reports').textContent).toBe('14 reports')
    await user.click(question.getByRole('button', { name: 'Deactivate' }))
    await expect
      .poll(() => changes().at(-1))
      .toEqual(['PATCH', `${METRICS}4/`, { is_active: false, version: 1 }])
  })

  it('is deleted', async () => {
    const { went } = opened(metric(), { [`DELETE ${METRICS}4/`]: null })
    const form = await dialog('Cost per result')
    await user.click(form.getByRole('button', { name: 'Delete this metric' }))
    await user.click((await dialog('Delete Cost per result?')).getByRole('button', { name: 'Delete' }))
    await expect.poll(() => went).toMatchObject([{ search: { page: 1 } }])
  })

  it('is only read by those who may not change it', async () => {
    opened(metric({ may_change: false }))
    const facts = await dialog('Cost per result')
    expect(facts.queryByRole('textbox', { name: 'Formula' })).toBeNull()
    expect(facts.queryByRole('button', { name: /Save|Delete/ })).toBeNull()
    expect(facts.getByText('Metrics of the whole agency are changed by managers.').textContent).not.toBe('')
    expect(facts.getByText('14 reports').textContent).toBe('14 reports')
  })

  it('says so when there is none', async () => {
    opened(metric(), { [`GET ${METRICS}4/`]: new Problem({ code: 'not_found', status: 404 }) })
    const drawer = await dialog('Calculated metric')
    expect((await drawer.findByText('This does not exist.')).textContent).not.toBe('')
  })
})

async function begunTrial(answer: unknown) {
  const drawn = drawSettings({
    search: { metric: 4 },
    answers: {
      [`GET ${METRICS}`]: listOf([metric()]),
      [`GET ${METRICS}4/`]: metric(),
      'GET /api/ad/account/': listOf([account({})]),
      [`POST ${METRICS}try/`]: answer,
    },
  })
  const form = await dialog('Cost per result')
  await user.click(form.getByRole('combobox', { name: 'Account' }))
  await user.click(await screen.findByRole('option', { name: /^Aurora Taiwan/ }))
  return { ...drawn, form }
}

describe('the live result', () => {
  const days = [
    { day: '2026-10-21', value: 12.5 },
    { day: '2026-10-22', value: null },
  ]
  const tried = { channel: 'fb', currency: 'TWD', days, total: 26.67, code: null }

  it('is the days and the sum of an account', async () => {
    const { form, changes } = await begunTrial(tried)
    const total = (await form.findByText(/^All 30 days/)).textContent
    expect(total).toBe('All 30 days: NT$26.67')
    await form.findByRole('figure', { name: 'The last 30 days of an account' })
    const body = {
      formula: 'cost / (purchases + leads)',
      unit: 'money',
      decimals: 2,
      ad_account: 11,
      channel: 'fb',
    }
    expect(changes()).toEqual([['POST', `${METRICS}try/`, body]])
  })

  it('is asked for again once the typing has paused, for a formula alone', async () => {
    const { form, changes } = await begunTrial(tried)
    await form.findByText(/^All 30 days/)
    const field = form.getByRole('textbox', { name: 'Formula' })
    await user.type(field, ' +')
    expect(form.queryByText(/^All 30 days/)).toBeNull()
    await user.type(field, ' cost / clicks')
    await user.click(form.getByRole('combobox', { name: 'Account' }))
    await user.click(await screen.findByRole('option', { name: /^Aurora Taiwan/ }))
    await expect.poll(() => changes().length).toBe(2)
    expect(changes()[1]?.[2]).toMatchObject({ formula: 'cost / (purchases + leads) + cost / clicks' })
  })

  it.each([
    ['what the account lacks', { ...tried, days: [], total: null, code: 'platform_timeout' }, /did not/],
    ['that there was nothing', { ...tried, days: [], total: null }, /No activity/],
    ['why it was refused', new Problem({ code: 'rate_limited', status: 429 }), /Too many requests/],
  ])('says %s', async (_, answer, text) => {
    const { form } = await begunTrial(answer)
    expect((await form.findByText(text)).textContent).not.toBe('')
  })
})
