// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { drawAt } from '#web/testing/draw-for.tsx'
import { listOf, serve } from '#web/testing/fake-server.ts'
import { aurora, beauty } from '#web/pages/customers/testing/samples.ts'
import { spend } from './testing/samples.ts'
import { Filters } from './filters.tsx'
import { MonthCards } from './month-cards.tsx'

const user = userEvent
const range = { from: '2026-09', to: '2026-11' }

describe('on a phone', () => {
  const drawn = async (search: object = {}) => {
    serve({})
    const went = drawAt(
      <MonthCards spend={spend} currency="TWD" />,
      { path: '/ec-spend/', search: { ...range, ...search } },
      { identity: 'director' },
    )
    await screen.findByRole('combobox', { name: 'Month' })
    return went
  }
  const card = (name: string) => within(screen.getByText(name).closest('li') ?? document.body)

  it('one month is shown at a time, the latest first', async () => {
    await drawn()
    const month = screen.getByRole<HTMLInputElement>('combobox', { name: 'Month' })
    expect(month.value).toBe('Nov 2026')
    expect(card('Aurora').getByText('NT$80,000').textContent).not.toBe('')
    expect(screen.getByRole('link', { name: 'Open Nov 2026' }).getAttribute('href')).toBe('/ec-spend/2026-11')
  })

  it('another month is chosen from the range', async () => {
    const went = await drawn()
    await user.click(screen.getByRole('combobox', { name: 'Month' }))
    const options = await screen.findAllByRole('option')
    expect(options.map(option => option.textContent)).toEqual(['Nov 2026', 'Oct 2026', 'Sep 2026'])
    await user.click(screen.getByRole('option', { name: 'Oct 2026' }))
    expect(went).toMatchObject([{ search: { ...range, month: '2026-10' } }])
  })

  it('a card has the channels of its advertiser, and those of nobody are the last', async () => {
    await drawn({ month: '2026-10' })
    const channel = (name: string) => card('Aurora').getByText(name).nextElementSibling?.textContent
    expect([channel('Meta ads'), channel('Google Ads')]).toEqual(['120,000', '30,000'])
    expect(card('Unassigned accounts').getByText('NT$700').textContent).not.toBe('')
    expect(screen.getAllByRole('listitem').at(-1)?.textContent).toContain('Unassigned accounts')
  })

  it('a locked month says so', async () => {
    await drawn({ month: '2026-09' })
    expect(screen.getByText('Locked').textContent).toContain('Locked')
  })

  it('a month outside of the range gives way to the last one', async () => {
    await drawn({ month: '2024-01' })
    expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Month' }).value).toBe('Nov 2026')
  })

  it('accounts of nobody have media alone, no fee', async () => {
    await drawn({ month: '2026-10', measure: 'fee' })
    expect(card('Aurora').getByText('NT$22,500').textContent).not.toBe('')
    expect(screen.queryByText('Unassigned accounts')).toBeNull()
  })
})

describe('the filters', () => {
  const drawn = async (search: object = {}) => {
    serve({ 'GET /api/industry/': listOf([beauty]), 'GET /api/advertiser/': listOf([aurora]) })
    const went = drawAt(
      <Filters />,
      { path: '/ec-spend/', search: { ...range, ...search } },
      { identity: 'director' },
    )
    await screen.findByRole('combobox', { name: 'To' })
    return went
  }
  const choose = async (name: string, option: string) => {
    await user.click(screen.getByRole('combobox', { name }))
    await user.click(await screen.findByRole('option', { name: option }))
  }

  it.each([
    ['Advertiser', 'Aurora', { advertiser: 1 }],
    ['Industry', 'Beauty', { industry: 2 }],
    ['Channel', 'TikTok ads', { channel: 'tt' }],
    ['From', 'Oct 2026', { from: '2026-10' }],
    ['To', 'Oct 2026', { to: '2026-10' }],
  ] as const)('are in the address (%s)', async (field, option, expected) => {
    const went = await drawn()
    await choose(field, option)
    expect(went).toMatchObject([{ search: { ...range, ...expected } }])
  })

  it.each([
    ['Advertiser', 'All advertisers', { advertiser: 1 }],
    ['Industry', 'All industries', { industry: 2 }],
    ['Channel', 'All channels', { channel: 'fb' }],
  ] as const)('are taken back (%s)', async (field, option, filter) => {
    const went = await drawn(filter)
    await choose(field, option)
    expect(went).toEqual([expect.objectContaining({ search: range })])
  })

  it('an earlier end takes the beginning along', async () => {
    const went = await drawn()
    await choose('To', 'Jun 2026')
    expect(went).toMatchObject([{ search: { from: '2026-06', to: '2026-06' } }])
  })

  it('everything is shown in the base currency, and each in its own again', async () => {
    const went = await drawn({ convert: true })
    const convert = screen.getByRole<HTMLInputElement>('switch', { name: 'In base currency' })
    expect(convert.checked).toBe(true)
    await user.click(convert)
    expect(went).toEqual([expect.objectContaining({ search: range })])
  })
})
