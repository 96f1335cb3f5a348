import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient } from '#sandbox/testing/meta.ts'
import { AGENCY_BUSINESS } from './businesses.ts'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.sandbox.stop())

const FIELDS =
  'id,account_id,name,account_status,disable_reason,currency,timezone_name,spend_cap,amount_spent,balance,is_prepay_account,funding_source_details,business,end_advertiser_name,created_time,user_tasks,tos_accepted'
const list = async (edge: string, fields = FIELDS, token = 'sandbox-agency') =>
  (await client.get(`${AGENCY_BUSINESS}/${edge}`, { fields, limit: 100 }, token)).body.data

describe('the business of the agency', () => {
  test('is the one that its tokens have a role in', async () => {
    const fields = 'id,name,verification_status,timezone_id,created_time'
    const { body } = await client.get('me/businesses', { fields })
    expect(body.data).toEqual([
      {
        id: AGENCY_BUSINESS,
        name: 'Sheetcast Agency',
        verification_status: 'verified',
        timezone_id: 136,
        created_time: '2019-04-01T02:00:00+0000',
      },
    ])
    expect((await client.get(AGENCY_BUSINESS, { fields: 'name' })).body.name).toBe('Sheetcast Agency')
  })

  test('owns two accounts and is a client of sixteen', async () => {
    const [owned, clients] = [await list('owned_ad_accounts'), await list('client_ad_accounts')]
    expect([owned.length, clients.length]).toEqual([2, 16])
    expect(owned.map((account: { name: string }) => account.name)).toContain('Delta Fitness new (empty)')
    expect(owned[0].business).toEqual({ id: '2030000000000004', name: 'Delta Fitness' })
  })

  test('has an account near its cap, one at it and the others without one', async () => {
    const clients = await list('client_ad_accounts', 'currency,spend_cap,amount_spent')
    const capped = clients.filter((account: { spend_cap: string }) => account.spend_cap !== '0')
    expect(
      capped.map((account: Record<string, string>) => [
        account['currency'],
        account['spend_cap'],
        account['amount_spent'],
      ]),
    ).toEqual([
      ['TWD', '1000000', '901000'],
      ['USD', '500000', '500000'],
    ])
  })

  test('has an account that is disabled for its payments, and one in its grace period', async () => {
    const clients = await list('client_ad_accounts', 'account_status,disable_reason')
    const states = clients.map((each: Record<string, number>) => [
      each['account_status'],
      each['disable_reason'],
    ])
    expect(states.filter(([status]: number[]) => status !== 1)).toEqual([
      [9, 0],
      [2, 3],
    ])
  })

  test('tells how an account is paid only to those who manage it', async () => {
    const clients = await list('client_ad_accounts', 'user_tasks,funding_source_details,is_prepay_account')
    for (const each of clients) {
      expect('funding_source_details' in each).toBe(each.user_tasks.includes('MANAGE'))
      expect('is_prepay_account' in each).toBe(each.user_tasks.includes('ADVERTISE'))
    }
    expect(clients.filter((each: object) => 'funding_source_details' in each)).not.toHaveLength(0)
    expect(clients.filter((each: { user_tasks: string[] }) => each.user_tasks.length === 0)).toHaveLength(1)
  })

  test('adds to the accounts of others what it was permitted', async () => {
    expect((await list('client_ad_accounts', 'permitted_tasks'))[0].permitted_tasks).toContain('MANAGE')
    const { body } = await client.get(`${AGENCY_BUSINESS}/owned_ad_accounts`, { fields: 'permitted_tasks' })
    expect(body.error.message).toContain('nonexisting field (permitted_tasks)')
  })
})

describe('the business of an advertiser', () => {
  test('owns its accounts, which are found by name, and has no others', async () => {
    const path = '2030000000000001/owned_ad_accounts'
    const owned = await client.get(path, { fields: 'name', summary: 'total_count' })
    expect(owned.body.data).toHaveLength(3)
    expect(owned.body.summary).toEqual({ total_count: 3 })
    const found = await client.get(path, { fields: 'name', search_query: 'outlet' })
    expect(found.body.data).toHaveLength(1)
    expect((await client.get('2030000000000001/client_ad_accounts')).body.data).toEqual([])
  })
})

describe('the people of an account', () => {
  const users = (parameters: Record<string, string>) =>
    client.get('act_10150357160960122/assigned_users', { fields: 'id,name,tasks', ...parameters })

  test('are those of one business, each with tasks', async () => {
    const { body } = await users({ business: AGENCY_BUSINESS })
    expect(body.data.map((user: { name: string }) => user.name)).toEqual([
      'Sheetcast reporting (system user)',
      'Dana Wu',
      'Sam Huang',
    ])
    expect(body.data[0].tasks).toEqual(['ANALYZE'])
  })

  test('are refused without a business, and for one that has not the account', async () => {
    expect((await users({})).body.error.message).toContain('business is required')
    expect((await users({ business: '2030000000000002' })).body.error.error_subcode).toBe(33)
  })
})

describe('a token without business_management', () => {
  test('is refused by every list of a business', async () => {
    for (const path of [
      'me/businesses',
      `${AGENCY_BUSINESS}/owned_ad_accounts`,
      'act_10150357160960122/assigned_users',
    ]) {
      const { status, body } = await client.get(path, {}, 'sandbox-ads-only')
      expect([status, body.error.code]).toEqual([403, 200])
      expect(body.error.message).toContain('Requires business_management permission')
    }
    expect((await client.get('me/adaccounts', {}, 'sandbox-ads-only')).status).toBe(200)
  })
})
