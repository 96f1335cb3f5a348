// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { newDraft, type Draft, type DraftBlock } from './draft.ts'
import { testAccount } from './testing/account.ts'
import { drawEditor } from './testing/draw-editor.tsx'
import { testConversion, testMetric } from './testing/known.ts'

const block = (more: Partial<DraftBlock> = {}): DraftBlock => ({
  channel: 'fb',
  label: null,
  accounts: [1],
  metrics: ['cost'],
  filters: [],
  on_error: 'leave_empty',
  ...more,
})
const draftWith = (channels: DraftBlock[], more: Partial<Draft> = {}): Draft => ({
  ...newDraft({ name: 'Daily', language: 'en', timezone: 'Asia/Taipei' }),
  channels,
  ...more,
})
const accounts = [
  testAccount(1),
  testAccount(2, { currency: 'JPY', advertiser: 2, advertiser_name: 'Borealis' }),
  testAccount(3, { channel: 'aw', provider: 'google_ads' }),
]
const chosen = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' }).value
const button = (name: string | RegExp) => screen.findByRole('button', { name })
const choose = async (field: string, option: string) => {
  await userEvent.click(screen.getByLabelText(field, { selector: 'input' }))
  await userEvent.click(await screen.findByRole('option', { name: option, hidden: true }))
}

describe('conversions of a channel', () => {
  const conversions = [testConversion(5, { is_default: true }), testConversion(6, { name: 'Leads' })]

  it('are counted by the default of the advertiser whose accounts are chosen first', async () => {
    const draft = drawEditor(draftWith([block({ accounts: [] })]), { accounts, meanings: { conversions } })
    expect(screen.queryByLabelText('Conversions')).toBeNull()
    await userEvent.click(await button('Accounts'))
    await userEvent.click(await screen.findByRole('option', { name: /Account 1/ }))
    await waitFor(() => expect(chosen('Conversions')).toBe('Orders'))
    expect(draft().channels[0]).toMatchObject({ accounts: [1], conversion: 5 })
    await choose('Conversions', 'As the platform counts')
    expect(draft().channels[0]).toMatchObject({ conversion: null })
  })

  it('of a saved channel stay the platform’s until another definition is chosen', async () => {
    const draft = drawEditor(draftWith([block()]), { accounts, meanings: { conversions } })
    await waitFor(() => expect(chosen('Conversions')).toBe('As the platform counts'))
    expect(draft().channels[0]?.conversion).toBeUndefined()
    await choose('Conversions', 'Leads')
    expect(draft().channels[0]?.conversion).toBe(6)
  })

  it('are no question where the advertiser has defined none', async () => {
    drawEditor(draftWith([block({ accounts: [2] })]), { accounts, meanings: { conversions } })
    await screen.findByText(/Account 2/)
    expect(screen.queryByLabelText('Conversions')).toBeNull()
  })

  it('by a definition of others are explained, and ended with a click', async () => {
    const draft = drawEditor(draftWith([block({ accounts: [2], conversion: 5 })]), {
      accounts,
      meanings: { conversions },
    })
    await screen.findByText(/This conversion definition is not for Meta ads/)
    await userEvent.click(await button('Count as the platform does'))
    expect(draft().channels[0]?.conversion).toBeNull()
  })
})

describe('metrics of a channel', () => {
  const labels = [{ advertiser: null, channel: null, metric: 'cost', label: 'Spend', label_zh: '花費額' }]
  const metrics = [testMetric(7), testMetric(8, { name: 'Old one', is_active: false })]

  it('have the agency’s names and its own metrics, of those out of use the chosen ones alone', async () => {
    const draft = drawEditor(draftWith([block({ metrics: ['cost'] })]), {
      accounts,
      meanings: { labels, metrics },
    })
    await screen.findByTitle('Spend')
    await userEvent.click(await button('Metrics'))
    const search = await screen.findByRole('combobox', { name: 'Search' })
    await userEvent.type(search, 'calculated')
    const list = screen.getByRole('listbox', { name: 'Metrics' })
    await waitFor(() => expect(within(list).getAllByRole('option')).toHaveLength(1))
    await userEvent.click(within(list).getByRole('option', { name: /Cost per lead or purchase/ }))
    expect(draft().channels[0]?.metrics).toEqual(['cost', 'calc:7'])
    await userEvent.clear(search)
    await userEvent.type(search, 'spend')
    expect(within(list).getAllByRole('option')[0]?.textContent).toContain('Cost')
  })

  it('that are out of use stay where they are chosen', async () => {
    drawEditor(draftWith([block({ metrics: ['calc:8'] })]), { accounts, meanings: { metrics } })
    await screen.findByTitle('Old one')
    expect(screen.queryByText(/There is no metric/)).toBeNull()
  })
})

describe('the money of a report', () => {
  it('is converted, which ends a mix of currencies', async () => {
    const draft = drawEditor(draftWith([block({ accounts: [1, 2] })]), { accounts })
    await userEvent.click(await button('Convert to TWD'))
    expect(draft().currency).toBe('TWD')
    await waitFor(() => expect(screen.queryByText(/different currencies/)).toBeNull())
    expect(chosen('Currency')).toContain('TWD')
    await choose('Currency', 'Each account’s own')
    expect(draft().currency).toBeNull()
  })
})

describe('a comparison', () => {
  it('says with which days, and what is shown beside each metric', async () => {
    const draft = drawEditor(draftWith([block()]), { accounts })
    await userEvent.click(await screen.findByLabelText('Previous period'))
    expect(draft().comparison).toEqual({ to: 'previous_period', align: 'date', show: ['value', 'percent'] })
    expect(screen.getByText('Compared with 2026-10-01 to 2026-10-20.')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Weekday'))
    expect(screen.getByText('Compared with 2026-10-11 to 2026-10-30.')).toBeTruthy()
    await userEvent.click(screen.getByLabelText('Value'))
    expect(draft().comparison?.show).toEqual(['percent'])
    expect(screen.getByLabelText<HTMLInputElement>('Change %').disabled).toBe(true)
    await userEvent.click(screen.getByLabelText('Off'))
    expect(draft().comparison).toBeNull()
  })

  it('of weeks is by weekday, and says so', async () => {
    const draft = drawEditor(draftWith([block()], { dimensions: ['week'] }), { accounts })
    await userEvent.click(await screen.findByLabelText('Last year'))
    expect(draft().comparison?.align).toBe('weekday')
    await userEvent.click(screen.getByLabelText('Date'))
    await screen.findByText('Weeks can be compared only by weekday.')
    await userEvent.click(await button('Match days by weekday'))
    expect(draft().comparison?.align).toBe('weekday')
  })
})

describe('columns over several channels', () => {
  const two = [block(), block({ channel: 'aw', accounts: [3] })]
  const formula = () => screen.getByLabelText<HTMLTextAreaElement>(/^Formula/)

  it('are written with the channels’ metrics, and marked where they are wrong', async () => {
    const draft = drawEditor(draftWith(two), { accounts })
    await userEvent.click(await button('Add column'))
    await userEvent.type(screen.getByLabelText(/^Column name/), 'Search share')
    await userEvent.click(await button('Google Ads · Cost'))
    await waitFor(() => expect(formula().value).toBe('2.cost'))
    await userEvent.type(formula(), ' / ')
    await screen.findByText('The formula is not finished.')
    await userEvent.click(await button('All channels · Cost'))
    await waitFor(() => expect(formula().value).toBe('2.cost / all.cost'))
    await waitFor(() => expect(screen.queryByText('The formula is not finished.')).toBeNull())
    expect(draft().blends).toEqual([
      { name: 'Search share', formula: '2.cost / all.cost', unit: 'ratio', decimals: 2 },
    ])
    await userEvent.type(formula(), ' + 2.sessions')
    await screen.findByText('The report has nothing to calculate with under 2.sessions.')
    expect(document.querySelector('mark')?.textContent).toBe('2.sessions')
  })

  it('follow their channels, and are wrong once one is gone', async () => {
    const blends = [{ name: 'All', formula: '1.cost + 2.cost', unit: 'money' as const, decimals: 2 }]
    const draft = drawEditor(draftWith(two, { blends }), { accounts })
    await userEvent.click(await button('Move Google Ads up'))
    expect(draft().blends[0]?.formula).toBe('2.cost + 1.cost')
    await userEvent.click(await button('Remove Meta ads'))
    expect(draft().blends[0]?.formula).toBe('?.cost + 1.cost')
    await screen.findByText(/Its channel has been removed/)
    await userEvent.click(await button('Remove blended column 1'))
    expect(draft().blends).toEqual([])
  })

  it('change their places', async () => {
    const named = (name: string) => ({ name, formula: 'all.cost', unit: 'money' as const, decimals: 2 })
    const draft = drawEditor(draftWith(two, { blends: [named('A'), named('B')] }), { accounts })
    await userEvent.click(await button('Move blended column 2 up'))
    expect(draft().blends.map(({ name }) => name)).toEqual(['B', 'A'])
  })

  it('are not for channels that are stacked', async () => {
    const blends = [{ name: 'All', formula: 'all.cost', unit: 'money' as const, decimals: 2 }]
    const draft = drawEditor(draftWith(two, { blends, arrangement: 'stacked' }), { accounts })
    await screen.findByText('Blended columns need channels side by side.')
    await userEvent.click(await button('Put channels side by side'))
    expect(draft().arrangement).toBe('joined')
  })
})
