import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient } from '#sandbox/testing/meta.ts'

const TAIPEI = 'act_10150357160960121'

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.sandbox.stop())

interface Node {
  id: string
  name: string
  effective_status: string
}

describe('campaigns, ad sets and ads', () => {
  const list = async (kind: string, parameters: Record<string, string | object> = {}): Promise<Node[]> => {
    const { body } = await client.get(`${TAIPEI}/${kind}`, {
      fields: 'id,name,effective_status',
      limit: 1000,
      ...parameters,
    })
    return body.data
  }

  test('are listed without deleted and archived ones, unless requested', async () => {
    const usual = await list('campaigns')
    expect(usual.map(node => node.effective_status)).not.toContain('DELETED')
    const deleted = await list('campaigns', { effective_status: ['DELETED', 'ARCHIVED'] })
    expect(deleted.map(node => node.name)).toEqual(['Old stock', 'Deleted by mistake'])
    const ads = await list('ads', { effective_status: ['ADSET_PAUSED', 'CAMPAIGN_PAUSED'] })
    expect(ads.length).toBeGreaterThan(0)
  })

  test('are found by name, and by many ids at once', async () => {
    const twins = await list('campaigns', {
      filtering: [{ field: 'name', operator: 'EQUAL', value: 'Twin' }],
    })
    expect(twins).toHaveLength(2)
    const ids = twins.map(node => node.id)
    const response = await fetch(
      `${client.sandbox.origin}/v25.0/?ids=${ids.join(',')}&fields=name&access_token=sandbox-agency`,
    )
    expect(await response.json()).toEqual(Object.fromEntries(ids.map(id => [id, { id, name: 'Twin' }])))
    expect((await client.get(ids[0] ?? '', { fields: 'name,objective' })).body.name).toBe('Twin')
  })

  test('of the future do not exist yet', async () => {
    const names = (await list('campaigns')).map(node => node.name)
    expect(names).toContain('Winter 2026')
    expect(names).not.toContain('Spring 2027')
  })

  test('refuse a status that does not exist', async () => {
    const { body } = await client.get(`${TAIPEI}/ads`, { effective_status: ['SLEEPING'] })
    expect(body.error.message).toContain('effective_status[0] must be one of')
  })
})

describe('audiences', () => {
  test('are shared, listed and unshared', async () => {
    const { body } = await client.get(`${TAIPEI}/customaudiences`, { fields: 'id,name,delivery_status' })
    expect(body.data).toHaveLength(4)
    expect(body.data[0].delivery_status.code).toBe(200)
    const audience = body.data[0].id
    const shared = await client.post(`${audience}/adaccounts`, { adaccounts: ['10150357160960122'] })
    expect(shared.body).toMatchObject({
      success: true,
      sharing_data: [{ ad_acct_id: '10150357160960122', audience_share_status: 'SHARED', errors: [] }],
    })
    const recipients = await client.get(`${audience}/ad_accounts`, { permissions: 'targeting' })
    expect(recipients.body.data).toEqual([{ id: '10150357160960122' }])
    const address = `${client.sandbox.origin}/v25.0/${audience}/adaccounts`
    const taken = await fetch(`${address}?adaccounts=["10150357160960122"]&access_token=sandbox-admin`, {
      method: 'DELETE',
    })
    expect(await taken.json()).toEqual({ success: true })
    expect((await client.get(`${audience}/adaccounts`)).body.data).toEqual([])
  })

  test('are not shared with an account of no business, nor with act_ ids', async () => {
    const { body } = await client.get(`${TAIPEI}/customaudiences`)
    const share = (adaccounts: string[]) => client.post(`${body.data[0].id}/adaccounts`, { adaccounts })
    expect((await share(['123'])).body.error.code).toBe(200)
    expect((await share([TAIPEI])).body.error.code).toBe(100)
  })
})
