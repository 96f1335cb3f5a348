// @vitest-environment happy-dom
import 'temporal-polyfill/global'
import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import type { FeeAgreement } from '#shared/api/customers.ts'
import { Problem } from '#web/client/problem.ts'
import { drawFor } from '#web/testing/draw-for.tsx'
import { changesIn, serve } from '#web/testing/fake-server.ts'
import { aurora } from '#web/pages/customers/testing/samples.ts'
import { agreementOf, feeBody, newDraft } from './fee-draft.ts'
import { FeesTab } from './fees-tab.tsx'

const user = userEvent
const PATH = '/api/advertiser/1/fee-agreement/'
const flat: FeeAgreement = {
  id: 3,
  version: 2,
  created_at: '2026-01-01T00:00:00.000Z',
  last_modified_at: '2026-01-01T00:00:00.000Z',
  channel: null,
  currency: 'TWD',
  from_month: '2020-01',
  to_month: null,
  amount: 0,
  tiers: [{ up_to: null, rate: 1500 }],
  tier_mode: 'marginal',
  basis: 'on_top',
  minimum: 0,
  charges_idle_months: false,
  is_used: false,
}
const tiered: FeeAgreement = {
  ...flat,
  id: 4,
  channel: 'fb',
  to_month: '2020-12',
  amount: 5_000_000_000,
  minimum: 20_000_000_000,
  tiers: [
    { up_to: 100_000_000_000, rate: 1500 },
    { up_to: null, rate: 1000 },
  ],
  tier_mode: 'whole',
  is_used: true,
}

function drawn(
  results: readonly FeeAgreement[],
  answers: Readonly<Record<string, unknown>> = {},
  identity: IdentityName = 'director',
) {
  const calls = serve({ [`GET ${PATH}`]: { results }, ...answers })
  drawFor(<FeesTab advertiser={aurora} />, { identity })
  return () => changesIn(calls).map(({ method, body }) => [method, body])
}
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const act = async (entry: string) => {
  await user.click(await screen.findByRole('button', { name: /^Actions for the agreement/ }))
  await user.click(await screen.findByRole('menuitem', { name: entry }))
}

describe('the fees of an advertiser', () => {
  it('are said in words, by time', async () => {
    drawn([flat, tiered])
    const lines = (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
    expect(lines[0]).toContain('Since Jan 2020')
    expect(lines[0]).toContain('15% on top of the media')
    expect(lines[0]).toContain('In force')
    expect(lines[1]).toContain('Jan 2020 to Dec 2020')
    expect(lines[1]).toContain('15% up to NT$100,000')
    expect(lines[1]).toContain('plus NT$5,000 a month')
    expect(lines[1]).toContain('at least NT$20,000 a month')
  })

  it('say what a month of any media would cost', async () => {
    drawn([flat])
    await screen.findByText('NT$200,000 a month would cost NT$30,000.')
    const media = screen.getByRole('textbox', { name: 'Media in a month' })
    await user.clear(media)
    await user.type(media, '55,555')
    expect(screen.getByText('NT$55,555 a month would cost NT$8,333.').textContent).not.toBe('')
  })

  it('are read by those who may not change them', async () => {
    drawn([flat], {}, 'manager')
    await screen.findByText(/15% on top/)
    expect(screen.queryAllByRole('button')).toEqual([])
  })

  it('are agreed on with tiers, and warn where more media costs less', async () => {
    const changes = drawn([], { [`POST ${PATH}`]: tiered })
    await user.click(await screen.findByRole('button', { name: 'Add agreement' }))
    const form = await dialog('Add agreement')
    await user.click(form.getByRole('button', { name: 'Agree' }))
    expect(changes()).toEqual([])
    await user.click(form.getByRole('button', { name: 'Add a tier' }))
    await user.type(form.getByRole('textbox', { name: 'Monthly media up to' }), '100000')
    await user.type(form.getByRole('textbox', { name: 'Rate 1' }), '15')
    await user.type(form.getByRole('textbox', { name: 'Rate 2' }), '10')
    await user.click(form.getByText('By total'))
    const drop = await form.findByText(/^More media can cost less here/)
    expect(drop.textContent).toContain('NT$100,000 costs NT$15,000, one step more NT$10,000')
    expect(form.getByText('NT$200,000 a month would cost NT$20,000.').textContent).not.toBe('')
    await user.click(form.getByRole('button', { name: 'Agree' }))
    await expect
      .poll(changes)
      .toMatchObject([['POST', { currency: 'TWD', tier_mode: 'whole', amount: 0, tiers: tiered.tiers }]])
  })

  it('say that two agreements share a month', async () => {
    const overlaps = { from_month: ['agreement_overlaps' as const] }
    drawn([], { [`POST ${PATH}`]: new Problem({ code: 'invalid', status: 400, fields: overlaps }) })
    await user.click(await screen.findByRole('button', { name: 'Add agreement' }))
    const form = await dialog('Add agreement')
    await user.type(form.getByRole('textbox', { name: 'Rate 1' }), '15')
    await user.click(form.getByRole('button', { name: 'Agree' }))
    await expect
      .poll(() => form.getByRole('combobox', { name: 'From' }).getAttribute('aria-invalid'))
      .toBe('true')
  })

  it('are ended', async () => {
    const changes = drawn([flat], { [`PATCH ${PATH}3/`]: flat })
    await act('Set its end')
    const form = await dialog('End of the agreement')
    await user.click(form.getByRole('combobox', { name: 'Last month' }))
    await user.click(await screen.findByRole('option', { name: 'Dec 2020' }))
    await user.click(form.getByRole('button', { name: 'Save' }))
    await expect.poll(changes).toEqual([['PATCH', { version: 2, to_month: '2020-12' }]])
  })

  it('are changed as a whole, from what they say', async () => {
    const changes = drawn([{ ...tiered, id: 3, version: 2, is_used: false }], { [`PATCH ${PATH}3/`]: tiered })
    await act('Change')
    const form = await dialog('Change this agreement')
    const rate = form.getByRole<HTMLInputElement>('textbox', { name: 'Rate 2' })
    expect(rate.value).toBe('10')
    await user.clear(rate)
    await user.type(rate, '9')
    await user.click(form.getByRole('button', { name: 'Save' }))
    const { from_month, tiers } = tiered
    const after = [tiers[0], { up_to: null, rate: 900 }]
    await expect.poll(changes).toMatchObject([['PATCH', { version: 2, from_month, tiers: after }]])
  })

  it('are deleted, unless a locked month has used them', async () => {
    const changes = drawn([flat], { [`DELETE ${PATH}3/`]: null })
    await act('Delete')
    const form = await dialog('Delete this agreement?')
    await user.click(form.getByRole('button', { name: 'Delete' }))
    await expect.poll(changes).toEqual([['DELETE', { version: 2 }]])
  })
})

describe('what is sent of an agreement', () => {
  const draft = { ...newDraft('TWD', '2026-11'), tiers: [{ up_to: null, rate: 1500 }] }

  it('is a flat rate with the rest left out', () => {
    expect(feeBody(draft)).toMatchObject({ tiers: [{ up_to: null, rate: 1500 }], amount: 0, minimum: 0 })
  })

  it.each([
    ['without a rate', { tiers: [{ up_to: null, rate: null }] }],
    ['with a wrong rate', { tiers: [{ up_to: null, rate: 'invalid' as const }] }],
    ['with a wrong amount', { amount: 'invalid' as const }],
    ['with a wrong minimum', { minimum: 'invalid' as const }],
    ['with a tier without its end', { tiers: [{ up_to: null, rate: 1 }, ...draft.tiers] }],
  ])('is nothing %s', (_, change) => {
    expect(feeBody({ ...draft, ...change })).toBeNull()
  })

  it('is refused by the rules before it is sent', () => {
    expect(agreementOf(draft)).not.toBeNull()
    expect(agreementOf({ ...draft, to_month: '2026-10' })).toBeNull()
    const tiers = [{ up_to: 0, rate: 1500 }, ...draft.tiers]
    expect(agreementOf({ ...draft, tiers })).toBeNull()
  })
})

describe('an agreement in words', () => {
  it.each([
    ['a flat rate', {}, ['15% on top of the media']],
    ['one within the media', { basis: 'within' as const }, ['15% of media and fee together']],
    ['a fixed amount', { amount: 9_000_000_000 }, ['15% on top of the media', 'plus NT$9,000 a month']],
    ['a minimum', { minimum: 9_000_000_000 }, ['15% on top of the media', 'at least NT$9,000 a month']],
    ['tiers by slice', { tiers: tiered.tiers }, ['15% up to NT$100,000', 'Each slice of the media']],
    ['cents', { currency: 'USD', amount: 1_500_000 }, ['plus $1.50 a month']],
    ['a channel', { channel: 'tt' as const }, ['TikTok']],
    ['all channels', {}, ['All channels · TWD']],
    ['its months', { to_month: '2031-03' }, ['Jan 2020 to Mar 2031']],
  ])('says %s', async (_, change, texts) => {
    drawn([{ ...flat, ...change }])
    const { textContent } = await screen.findByRole('listitem')
    for (const text of texts) expect(textContent).toContain(text)
  })

  it.each([
    ['2020-01', '2020-12', false],
    ['2020-01', null, true],
    ['2090-01', null, false],
  ])('from %s to %s is in force now: %s', async (from_month, to_month, isCurrent) => {
    drawn([{ ...flat, from_month, to_month }])
    await screen.findByRole('listitem')
    expect(screen.queryByText('In force') !== null).toBe(isCurrent)
    expect(screen.queryByRole('textbox', { name: 'Media in a month' }) !== null).toBe(isCurrent)
  })
})

describe('what a month would cost', () => {
  it.each([
    [{}, '100000', 'NT$15,000'],
    [{}, '55555', 'NT$8,333'],
    [{ tiers: [{ up_to: null, rate: 1250 }] }, '55555', 'NT$6,944'],
    [{ minimum: 20_000_000_000 }, '60000', 'NT$20,000'],
    [{ amount: 5_000_000_000 }, '60000', 'NT$14,000'],
    [{ basis: 'within' as const }, '85000', 'NT$15,000'],
    [{ tiers: tiered.tiers }, '200000', 'NT$25,000'],
    [{ tiers: tiered.tiers, tier_mode: 'whole' as const }, '200000', 'NT$20,000'],
    [{ tiers: tiered.tiers, tier_mode: 'whole' as const }, '100000', 'NT$15,000'],
    [{ minimum: 20_000_000_000 }, '0', 'NT$0'],
    [{ minimum: 20_000_000_000, charges_idle_months: true }, '0', 'NT$20,000'],
  ])('%j for %s is %s', async (change, media, fee) => {
    drawn([{ ...flat, ...change }])
    const field = await screen.findByRole('textbox', { name: 'Media in a month' })
    await user.clear(field)
    await user.type(field, media)
    expect(screen.getByText(/a month would cost/).textContent).toContain(`would cost ${fee}.`)
  })

  it('is not said while the media is no amount', async () => {
    drawn([flat])
    const field = await screen.findByRole('textbox', { name: 'Media in a month' })
    await user.type(field, 'x')
    expect(screen.queryByText(/a month would cost/)).toBeNull()
  })
})

async function opened() {
  drawn([])
  await user.click(await screen.findByRole('button', { name: 'Add agreement' }))
  return await dialog('Add agreement')
}

describe('the form of an agreement', () => {
  it('has at most six tiers', async () => {
    const form = await opened()
    for (let tier = 1; tier < 6; tier++) await user.click(form.getByRole('button', { name: 'Add a tier' }))
    expect(form.getAllByRole('textbox', { name: /^Rate/ })).toHaveLength(6)
    expect(form.queryByRole('button', { name: 'Add a tier' })).toBeNull()
    await user.click(form.getByRole('button', { name: 'Remove tier 1' }))
    expect(form.getAllByRole('textbox', { name: /^Rate/ })).toHaveLength(5)
  })

  it('has one rate for a fee within the media', async () => {
    const form = await opened()
    await user.click(form.getByRole('button', { name: 'Add a tier' }))
    await user.click(form.getByText('within the media'))
    expect(form.getAllByRole('textbox', { name: /^Rate/ })).toHaveLength(1)
    expect(form.queryByRole('button', { name: 'Add a tier' })).toBeNull()
  })

  it('begins with the currency of the customer and with this month, and ends at no time', async () => {
    const form = await opened()
    const value = (name: string) => form.getByRole<HTMLInputElement>('combobox', { name }).value
    expect(value('Currency of the media')).toContain('TWD')
    expect(value('From')).not.toBe('')
    expect(value('Until')).toBe('Until further notice')
    expect(value('Channel')).toBe('All channels')
  })

  it('does not say what a month would cost before there is a rate', async () => {
    const form = await opened()
    expect(form.queryByText(/a month would cost/)).toBeNull()
    await user.type(form.getByRole('textbox', { name: 'Rate 1' }), '15')
    expect(form.getByText('NT$200,000 a month would cost NT$30,000.').textContent).not.toBe('')
  })
})
