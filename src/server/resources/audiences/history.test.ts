import { describe, expect, it } from 'vitest'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import type { AudienceEvent } from '#shared/api/audiences.ts'
import { filled, LTA, people } from './testing/members.ts'

const api = await testApi({
  effects: {
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: null }),
      access: async () => ({ result: 'ok', business: null, fix_url: null }),
    },
  },
})
const { db } = api
const me = await api.signedIn('staff')
const advertiser = await api.advertiser('Aurora', [me.user.id])
const share = (audience: { id: number }, account: number) =>
  me.post(`${LTA}share-custom-audience/`, { audience: audience.id, ad_accounts: [account] })
const historyOf = async (id: number, who: Client = me) =>
  (await who.get(`${LTA}${id}/history/`)).body as AudienceEvent[]

describe('the history of an audience', () => {
  it('has what was done, by whom, with how many people and which accounts', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 3) })
    const account = await api.account({ advertiser, channel: 'fb', name: 'Aurora Meta' })
    await share(audience, account)
    await me.patch(`${LTA}${audience.id}/`, { version: audience.version, name: 'VIP 2027' })
    const names = { actor_name: expect.stringContaining('staff'), at: expect.any(String) }
    expect(await historyOf(audience.id)).toMatchObject([
      { ...names, action: 'audience.change', changes: { name: { to: 'VIP 2027' } }, ad_accounts: [] },
      { ...names, action: 'audience.share', ad_accounts: ['Aurora Meta'], rows: null },
      { ...names, action: 'audience.upload', upload_action: 'add', rows: 3, changes: null },
      { ...names, action: 'audience.create', upload_action: null, rows: null },
    ])
  })

  it('is for the people of its advertiser alone, and names no account of another one', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const account = await api.account({ advertiser, channel: 'fb', name: 'Sold' })
    await share(audience, account)
    const buyer = await api.advertiser('Borealis')
    await db.updateTable('ad_account').set({ advertiser: buyer }).where('id', '=', account).execute()
    const client = await api.signedIn('external_user')
    expectRefusal(await client.get(`${LTA}${audience.id}/history/`), 404, 'not_found')
    await db.insertInto('advertiser_member').values({ advertiser, user_id: client.user.id }).execute()
    expect(await historyOf(audience.id, client)).toMatchObject([
      { action: 'audience.share', ad_accounts: [] },
      { action: 'audience.upload' },
      { action: 'audience.create' },
    ])
  })

  it('takes lines that were written otherwise, and says nobody where it is not known', async () => {
    const audience = await filled(me, { advertiser, rows: people(0, 1) })
    const detail = JSON.stringify({ action: 'merge', rows: 'many', ad_accounts: 7 })
    const line = { at: new Date(), actor: null, object: 'audience', object_id: String(audience.id), detail }
    await db
      .insertInto('audit')
      .values({ ...line, action: 'audience.merge' })
      .execute()
    const [first] = await historyOf(audience.id)
    const unknown = { upload_action: null, rows: null, ad_accounts: [], changes: null, actor_name: null }
    expect(first).toMatchObject({ action: 'audience.merge', ...unknown })
  })
})
