import { describe, expect, test } from 'vitest'
import { startClient } from '#sandbox/testing/tiktok.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'
import type { Reply } from '#sandbox/testing/reply.ts'
import { APP_ID, APP_SECRET } from './oauth.ts'

const TAIPEI = '7012345678901230032'
const TOKYO = '7012345678901230036'
const LARGE = '7012345678901230161'
const REVOKED = '7012345678901230163'
const DELETED = '7012345678901230164'
const AGENCY_CENTER = '6900000000000000001'

const client = resetAfterEach(await startClient())

const code = (reply: Reply) => reply.body.code
const info = (id: string, token?: string | null) =>
  client.get('advertiser/info/', { advertiser_ids: [id] }, token)

describe('the protocol', () => {
  test('responds in an envelope, refusals with status 200, each with an id of its own', async () => {
    const good = await info(TAIPEI)
    expect(good).toMatchObject({ status: 200, body: { code: 0, message: 'OK' } })
    const bad = await info('1')
    expect(bad).toMatchObject({
      status: 200,
      body: { code: 40002, message: expect.stringContaining("doesn't exist or has been deleted"), data: {} },
    })
    expect(good.body.request_id).toMatch(/^\d{14}[0-9A-F]{20}$/)
    expect(good.body.request_id).not.toBe(bad.body.request_id)
  })

  test('knows no path without its last slash, and none that does not exist', async () => {
    for (const path of ['advertiser/info', 'report/integrated/get', 'keyword/get/', 'constructor', '']) {
      const reply = await client.get(path, { advertiser_ids: [TAIPEI] })
      expect([reply.status, reply.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    }
  })

  test('refuses other versions and methods', async () => {
    const headers = { 'access-token': 'sandbox-admin' }
    const old = await fetch(`${client.sandbox.origin}/open_api/v1.2/advertiser/info/`, { headers })
    expect(await old.json()).toMatchObject({ code: 40006 })
    expect((await client.post('advertiser/info/', { advertiser_ids: [TAIPEI] })).status).toBe(405)
    expect((await client.get('report/task/create/')).status).toBe(405)
  })

  test.each([
    ['a parameter it does not know', { advertiser_ids: [TAIPEI], colour: 'red' }, /colour: Unknown field/],
    ['a list that is no JSON', { advertiser_ids: TAIPEI.slice(0, 3) + 'x' }, /Not a valid JSON/],
    ['ids that are numbers', { advertiser_ids: '[7012345678901230032]' }, /Not a valid string/],
    ['a list that is none', { advertiser_ids: '{"a":1}' }, /Not a valid list/],
    ['fields that do not exist', { advertiser_ids: [TAIPEI], fields: ['colour'] }, /correct is \['adv/],
    ['a value that is missing', {}, /Missing data for required field/],
  ])('refuses %s', async (_, parameters, message) => {
    const { body } = await client.get('advertiser/info/', parameters)
    expect(body).toMatchObject({ code: 40002, message: expect.stringMatching(message) })
  })

  test('refuses a parameter twice, and a body that is no JSON object', async () => {
    const address = `${client.sandbox.origin}/open_api/v1.3/`
    const headers = { 'access-token': 'sandbox-admin' }
    const twice = await fetch(`${address}bc/get/?page=1&page=2`, { headers })
    expect(await twice.json()).toMatchObject({ code: 40002 })
    const post = (type: string, body: string) =>
      fetch(`${address}report/task/cancel/`, {
        method: 'POST',
        headers: { ...headers, 'content-type': type },
        body,
      }).then(response => response.json())
    expect(await post('application/x-www-form-urlencoded', 'a=1')).toMatchObject({ code: 40002 })
    expect(await post('application/json', '[1]')).toMatchObject({ code: 40002 })
    expect(await post('application/json', '{')).toMatchObject({ code: 40002 })
  })
})

describe('a token', () => {
  test('is in its header, without Bearer', async () => {
    expect(code(await info(TAIPEI, null))).toBe(40104)
    expect(code(await info(TAIPEI, 'Bearer sandbox-admin'))).toBe(40105)
    expect(code(await info(TAIPEI, 'guessed'))).toBe(40105)
    expect(code(await info(TAIPEI, 'sandbox-expired'))).toBe(40102)
  })

  test('opens its advertisers only', async () => {
    expect(code(await info(TAIPEI, 'sandbox-agency'))).toBe(0)
    expect((await info(LARGE, 'sandbox-agency')).body).toMatchObject({
      code: 40001,
      message: `No permission to operate advertiser ${LARGE}.`,
    })
    expect(code(await info(REVOKED))).toBe(40001)
    expect(code(await info(DELETED))).toBe(40300)
  })

  test('is given for a code, once', async () => {
    const redeem = (more: object) =>
      client.post(
        'oauth2/access_token/',
        { app_id: APP_ID, secret: APP_SECRET, auth_code: 'sandbox-agency-1', ...more },
        null,
      )
    const first = await redeem({ return_advertiser_ids: true })
    expect(first.body.data).toEqual({
      access_token: 'sandbox-agency',
      advertiser_ids: expect.arrayContaining([TAIPEI]),
      scope: [4, 5],
      token_type: 'Bearer',
    })
    expect(code(await redeem({}))).toBe(40110)
    expect(code(await redeem({ auth_code: 'guessed' }))).toBe(40110)
    expect(code(await redeem({ app_id: '1' }))).toBe(40113)
    expect(code(await redeem({ secret: 'wrong' }))).toBe(40101)
    expect(code(await redeem({ grant_type: 'auth_code' }))).toBe(40002)
    const without = await redeem({ auth_code: 'sandbox-admin-2', return_advertiser_ids: false })
    expect(without.body.data).not.toHaveProperty('advertiser_ids')
  })
})

describe('accounts', () => {
  const own = { app_id: APP_ID, secret: APP_SECRET }

  test('are listed for a token of the app', async () => {
    const list = async (token: string) =>
      (await client.get('oauth2/advertiser/get/', own, token)).body.data.list as object[]
    const [agency, admin] = [await list('sandbox-agency'), await list('sandbox-admin')]
    expect([agency.length, admin.length]).toEqual([5, 10])
    expect(agency[0]).toEqual({ advertiser_id: TAIPEI, advertiser_name: 'Aurora TikTok' })
    expect(code(await client.get('oauth2/advertiser/get/', { app_id: APP_ID }))).toBe(40002)
    expect(code(await client.get('oauth2/advertiser/get/', { ...own, secret: 'wrong' }))).toBe(40101)
    const log = await client.control('GET', 'requests')
    expect(JSON.stringify(log.body)).not.toContain(APP_SECRET)
  })

  test('have their zone twice: as it is, and with an inverted sign', async () => {
    const fields = ['advertiser_id', 'name', 'currency', 'timezone', 'display_timezone', 'company']
    const { body } = await client.get('advertiser/info/', { advertiser_ids: [TAIPEI, TOKYO], fields })
    expect(body.data.list).toEqual([
      {
        advertiser_id: TAIPEI,
        name: 'Aurora TikTok',
        currency: 'TWD',
        timezone: 'Etc/GMT-8',
        display_timezone: 'Asia/Taipei',
        company: 'Aurora Cosmetics',
      },
      expect.objectContaining({ currency: 'JPY', timezone: 'Etc/GMT-9', display_timezone: 'Asia/Tokyo' }),
    ])
    const many = Array.from({ length: 101 }, (_, index) => String(index))
    expect(code(await client.get('advertiser/info/', { advertiser_ids: many }))).toBe(40011)
  })

  test('hang under business centers', async () => {
    const centers = await client.get('bc/get/', { page: 1, page_size: 1 })
    expect(centers.body.data.page_info).toEqual({ page: 1, page_size: 1, total_number: 2, total_page: 2 })
    const assets = (more: object = {}, token = 'sandbox-agency') =>
      client.get('bc/asset/get/', { bc_id: AGENCY_CENTER, asset_type: 'ADVERTISER', ...more }, token)
    const relations = (await assets()).body.data.list.map(
      (asset: { relation_type: string }) => asset.relation_type,
    )
    expect(new Set(relations)).toEqual(new Set(['OWNER_BC', 'OWNER_PARTNER']))
    const found = await assets({ filtering: { keyword: 'AURORA' } })
    expect(found.body.data.list).toMatchObject([{ asset_id: TAIPEI, relation_status: 'BOUND' }])
    expect(code(await assets({ bc_id: '6900000000000000002' }))).toBe(40001)
    expect(code(await assets({ asset_type: 'MOON' }))).toBe(40002)
    expect(code(await assets({ page_size: 51 }))).toBe(40002)
    expect(code(await assets({ filtering: { colour: 'red' } }))).toBe(40002)
  })
})

describe('campaigns, ad groups and ads', () => {
  const names = async (path: string, more: object = {}) => {
    const { body } = await client.get(path, { advertiser_id: TAIPEI, page_size: 1000, ...more })
    return body.data.list as Record<string, string>[]
  }

  test('are listed without the deleted ones, unless requested', async () => {
    const usual = await names('campaign/get/')
    const all = await names('campaign/get/', { filtering: { primary_status: 'STATUS_ALL' } })
    const deleted = await names('campaign/get/', { filtering: { primary_status: 'STATUS_DELETE' } })
    expect(deleted).toMatchObject([{ campaign_name: 'Deleted by mistake', operation_status: 'DELETE' }])
    expect(all.length).toBe(usual.length + deleted.length)
    expect(usual.map(each => each['campaign_name'])).toEqual(
      expect.arrayContaining(['Twin', 'Brand film "Aurora" (final)']),
    )
  })

  test('are found by a part of the name and by id, but ads not by name', async () => {
    const twins = await names('campaign/get/', { filtering: { campaign_name: 'tWi' } })
    expect(twins.map(each => each['campaign_name'])).toEqual(['Twin', 'Twin'])
    const campaign_ids = [twins[0]?.['campaign_id'] ?? '']
    const groups = await names('adgroup/get/', { filtering: { campaign_ids } })
    expect(groups.length).toBe(2)
    const adgroup_ids = [groups[0]?.['adgroup_id'] ?? '']
    const ads = await names('ad/get/', { filtering: { adgroup_ids, primary_status: 'STATUS_ALL' } })
    expect(ads[0]).toMatchObject({
      adgroup_id: adgroup_ids[0],
      create_time: expect.stringMatching(/^\d{4}-.* /),
    })
    const byName = await client.get('ad/get/', { advertiser_id: TAIPEI, filtering: { ad_name: 'a' } })
    expect(code(byName)).toBe(40002)
    const array = await client.get('campaign/get/', { advertiser_id: TAIPEI, filtering: [] })
    expect(code(array)).toBe(40002)
    const many = { campaign_ids: Array.from({ length: 101 }, (_, index) => String(index)) }
    expect(code(await client.get('campaign/get/', { advertiser_id: TAIPEI, filtering: many }))).toBe(40011)
  })
})

describe('audiences', () => {
  const list = async (id: string) =>
    (await client.get('dmp/custom_audience/list/', { advertiser_id: id, page_size: 100 })).body.data
      .list as Record<string, unknown>[]

  test('are shared with advertisers of the same business center, and unshared', async () => {
    const id = (await list(TAIPEI))[0]?.['audience_id']
    const parameters = { advertiser_id: TAIPEI, custom_audience_ids: [id], shared_advertiser_ids: [TOKYO] }
    expect((await client.post('dmp/custom_audience/share/', parameters)).body).toMatchObject({
      code: 0,
      data: {},
    })
    expect((await list(TAIPEI))[0]).toMatchObject({ shared: true, is_creator: true })
    expect((await list(TOKYO)).at(-1)).toMatchObject({ audience_id: id, is_creator: false })
    await client.post('dmp/custom_audience/share/cancel/', parameters)
    expect((await list(TOKYO)).length).toBe(3)
    const log = await client.get('dmp/custom_audience/share/log/', {
      advertiser_id: TAIPEI,
      custom_audience_id: id,
    })
    expect(log.body.data.list).toMatchObject([{ shared_advertiser_id: TOKYO, status: 'CANCELLED' }])
  })

  test('go to nobody else', async () => {
    const share = async (more: object) =>
      code(
        await client.post('dmp/custom_audience/share/', {
          advertiser_id: TAIPEI,
          custom_audience_ids: ['190003200'],
          shared_advertiser_ids: [TOKYO],
          ...more,
        }),
      )
    expect(await share({ shared_advertiser_ids: [LARGE] })).toBe(40001)
    expect(await share({ shared_advertiser_ids: [] })).toBe(40002)
    expect(await share({ custom_audience_ids: ['190003600'] })).toBe(40007)
    expect(await share({ custom_audience_ids: Array.from({ length: 11 }, (_, id) => String(id)) })).toBe(
      40002,
    )
  })
})
