import { describe, expect, it } from 'vitest'
import { AGENCY_BUSINESS } from '#sandbox/meta/businesses.ts'
import { sourceOf, type PlatformFetch } from '#server/connectors/connector.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { meta } from './report.ts'

const NOW = '2026-11-21T04:00:00Z'
const sandbox = sandboxOfFile(NOW)
const readerOf = (access_token = 'sandbox-agency', more: { fetch?: PlatformFetch } = {}) => {
  const reader = sourceOf(meta, { access_token }).businesses?.({
    ...testContext(sandbox.base_url, NOW),
    ...more,
  })
  if (!reader) throw new Error('Meta has businesses')
  return reader
}
/** A platform that answers every request with this list. */
const answering = (...data: object[]) =>
  readerOf('sandbox-agency', { fetch: async () => Response.json({ data }) })

const plain = {
  account_id: '10150000000000000009',
  name: 'One',
  account_status: 1,
  currency: 'TWD',
  timezone_name: 'Asia/Taipei',
}

describe('businesses', () => {
  it('are those in which the login has a role', async () => {
    expect(await readerOf().list()).toEqual([
      { external_id: AGENCY_BUSINESS, name: 'Sheetcast Agency', verification: 'verified' },
    ])
  })

  it('keep ids beyond 2^53 digit by digit', async () => {
    const fetch = async () => new Response('{"data":[{"id":10150000000000000009,"name":"One"}]}')
    expect((await readerOf('sandbox-agency', { fetch }).list())[0]?.external_id).toBe('10150000000000000009')
  })

  it('need the permission business_management', async () => {
    await expect(readerOf('sandbox-ads-only').list()).rejects.toMatchObject({
      code: 'scope_missing',
      platform_message: expect.stringContaining('business_management'),
    })
    await expect(readerOf('sandbox-expired').list()).rejects.toMatchObject({ code: 'credential_expired' })
  })
})

describe('the accounts of a business', () => {
  it('are two of its own and sixteen of clients', async () => {
    const accounts = await readerOf().accounts(AGENCY_BUSINESS)
    const relations = accounts.map(({ relation }) => relation)
    expect(relations.filter(relation => relation === 'owned')).toHaveLength(2)
    expect(relations.filter(relation => relation === 'client')).toHaveLength(16)
  })

  it('have money in millionths, whatever unit the platform counts in', async () => {
    const accounts = await readerOf().accounts(AGENCY_BUSINESS)
    const capped = accounts.filter(({ spend_cap }) => spend_cap !== null)
    expect(
      capped.map(({ currency, spend_cap, amount_spent }) => [currency, spend_cap, amount_spent]),
    ).toEqual([
      ['TWD', 1_000_000_000_000, 901_000_000_000],
      ['USD', 5_000_000_000, 5_000_000_000],
    ])
  })

  it('have null for what the login may not see, and for a cap of nothing', async () => {
    const [account] = await answering(plain).accounts('1')
    expect(account).toEqual({
      external_id: '10150000000000000009',
      name: 'One',
      relation: 'owned',
      status: 1,
      disable_reason: null,
      currency: 'TWD',
      timezone: 'Asia/Taipei',
      spend_cap: null,
      amount_spent: null,
      balance: null,
      is_prepay: null,
      funding: null,
      tasks: [],
      tos_accepted: null,
      created_at: null,
    })
    const [none] = await answering({ ...plain, spend_cap: '0', amount_spent: '0' }).accounts('1')
    expect([none?.spend_cap, none?.amount_spent]).toEqual([null, 0])
  })

  it('are read once where a business owns what it is also a client of', async () => {
    expect(await answering(plain).accounts('1')).toHaveLength(1)
  })

  it.each([
    ['KWD', '12345', 123_450_000],
    ['IDR', '900000000000', 900_000_000_000_000_000],
    ['USD', '-250', -2_500_000],
  ])('count an amount in %s', async (currency, balance, expected) => {
    expect((await answering({ ...plain, currency, balance }).accounts('1'))[0]?.balance).toBe(expected)
  })

  it('are refused as a whole when one cannot be read', async () => {
    const bad = { ...plain, spend_cap: 'a lot' }
    await expect(answering(bad).accounts('1')).rejects.toMatchObject({
      code: 'platform_error',
      platform_message: expect.stringContaining('data[0].spend_cap'),
    })
  })
})

describe('the people of an account', () => {
  it('are read with their tasks', async () => {
    const users = await readerOf().users({ business: AGENCY_BUSINESS, account: '10150357160960122' })
    expect(users[0]).toEqual({
      external_id: '122100000000000001',
      name: 'Sheetcast reporting (system user)',
      tasks: ['ANALYZE'],
    })
    expect(users).toHaveLength(3)
  })
})
