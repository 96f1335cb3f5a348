import { describe, expect, test } from 'vitest'
import { startClient } from '#sandbox/testing/meta.ts'
import {
  audienceCalls,
  customerFile,
  errorOf,
  OUTLET,
  rowsOf,
  stateOf,
  TAIPEI,
  upTo,
} from '#sandbox/testing/meta-audiences.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const DELTA = 'act_10150622911041007'
const EMBER = 'act_10150733820019008'
const FJORD = 'act_10150844730556009'
const EMPTY = 'act_10150622911041012'
const DAY = 24 * 3_600_000

const client = resetAfterEach(await startClient())
const { create, add, upload, read, fill } = audienceCalls(client)
const make = (parameters: Record<string, string | number | object>, account = TAIPEI) =>
  client.post(`${account}/customaudiences`, parameters)

describe('a customer file', () => {
  test('is made, read, renamed and deleted', async () => {
    const id = await create()
    expect(await read(id, 'name,subtype,description,customer_file_source,time_created')).toEqual({
      id,
      name: 'VIP',
      subtype: 'CUSTOM',
      description: 'by a test',
      customer_file_source: 'USER_PROVIDED_ONLY',
      time_created: Date.parse('2026-11-20T04:00:00Z') / 1000,
    })
    expect(stateOf(await read(id))).toEqual([200, 300, 0, 0])
    const filtering = [{ field: 'name', operator: 'EQUAL', value: 'VIP' }]
    expect((await client.get(`${TAIPEI}/customaudiences`, { filtering })).body.data).toEqual([{ id }])
    expect((await client.post(id, { name: 'VIP 2026' })).body).toEqual({ success: true })
    expect((await read(id)).name).toBe('VIP 2026')
    expect((await client.post(id, { method: 'DELETE' })).body).toEqual({ success: true })
    expect(errorOf(await client.get(id))).toEqual([100, 33])
  })

  test.each([
    [{ ...customerFile(''), name: '' }],
    [{ ...customerFile('x'), customer_file_source: 'FOUND' }],
    [{ name: 'x', customer_file_source: 'USER_PROVIDED_ONLY' }],
    [{ ...customerFile('x'), colour: 'red' }],
  ])('refuses %o', async wrong => {
    expect(errorOf(await make(wrong))).toEqual([100, undefined])
  })

  test('of a kind that is not emulated answers 501 with its name', async () => {
    const { status, body } = await make({ name: 'x', subtype: 'OFFLINE_CONVERSION' })
    expect([status, body.error.message]).toEqual([501, expect.stringContaining('OFFLINE_CONVERSION')])
    expect((await client.control('GET', 'not-emulated')).body.not_emulated).toContainEqual({
      platform: 'meta',
      name: expect.stringContaining('other subtypes'),
    })
  })

  test('is one of at most 500 of an account', async () => {
    await client.control('PUT', 'limits', { meta_audiences: 2 })
    await create('The first beside the one that is given')
    expect(errorOf(await make(customerFile('One too many')))).toEqual([2654, undefined])
    expect((await make(customerFile('Elsewhere'), OUTLET)).status).toBe(200)
    await client.control('POST', 'reset')
    expect((await client.control('GET', 'limits')).body).toMatchObject({
      meta_audiences: 500,
      meta_filling_s: 60,
    })
  })

  test('fills as fast as the limits say', async () => {
    await client.control('PUT', 'limits', { meta_filling_s: 0 })
    const id = await create()
    await add(id, upTo(1000))
    expect(stateOf(await read(id))).toEqual([200, 200, 600, 800])
  })

  test('with a sensitive name is flagged once it is filled, and then takes and seeds nothing', async () => {
    const id = await create('Arthritis patients')
    await add(id, upTo(1000))
    expect(stateOf(await read(id))[0]).toBe(441)
    fill()
    expect(stateOf(await read(id)).slice(0, 2)).toEqual([471, 400])
    expect(errorOf(await add(id, [1]))).toEqual([100, 1_713_230])
    expect(errorOf(await client.post(id, { name: 'Patients' }))).toEqual([100, 1_713_231])
    expect(errorOf(await make(lookalike(id)))).toEqual([100, 1_713_232])
  })

  test('that nobody uses for two years expires, and goes 90 days later', async () => {
    const id = await create()
    fill(730 * DAY)
    expect(await read(id, 'operation_status,delete_time')).toMatchObject({
      operation_status: { code: 100 },
      delete_time: (Date.parse('2026-11-20T04:00:00Z') + 820 * DAY) / 1000,
    })
    fill(90 * DAY)
    expect(errorOf(await client.get(id))).toEqual([100, 33])
  })
})

const lookalike = (origin: string, spec: object = {}) => ({
  name: 'Alike',
  subtype: 'LOOKALIKE',
  origin_audience_id: origin,
  lookalike_spec: { ratio: 0.01, country: 'TW', ...spec },
})

describe('a lookalike', () => {
  const seed = async () => {
    const id = await create()
    await add(id, upTo(1000))
    fill()
    return id
  }

  test('fills, and keeps its seed from being deleted', async () => {
    const origin = await seed()
    const { body } = await make(lookalike(origin))
    expect(stateOf(await read(body.id))).toEqual([441, 300, -1, -1])
    fill()
    expect(stateOf(await read(body.id))).toEqual([200, 200, 176_400, 183_600])
    expect(await read(body.id, 'lookalike_spec')).toEqual({
      id: body.id,
      lookalike_spec: '{"ratio":0.01,"country":"TW"}',
    })
    expect(await read(origin, 'lookalike_audience_ids')).toEqual({
      id: origin,
      lookalike_audience_ids: [body.id],
    })
    expect(errorOf(await client.post(origin, { method: 'DELETE' }))).toEqual([2656, undefined])
    await client.post(body.id, { method: 'DELETE' })
    expect((await client.post(origin, { method: 'DELETE' })).status).toBe(200)
  })

  test('needs a hundred people of its country', async () => {
    const small = await create('Small')
    await add(small, upTo(120))
    fill()
    expect(errorOf(await make(lookalike(small)))).toEqual([100, undefined])
    const origin = await seed()
    expect(errorOf(await make(lookalike(origin, { country: 'JP' })))).toEqual([100, undefined])
    const foreign = { country: 'JP', allow_international_seeds: true }
    expect((await make(lookalike(origin, foreign))).status).toBe(200)
  })

  test.each([
    [{ ratio: 0 }],
    [{ ratio: 0.21 }],
    [{ ratio: 0.015 }],
    [{ starting_ratio: 0.01 }],
    [{ country: 'Taiwan' }],
  ])('refuses %o', async wrong => {
    expect(errorOf(await make(lookalike(await seed(), wrong)))).toEqual([100, undefined])
  })
})

describe('visitors of a website', () => {
  const rule = (pixel: string, more: object = {}) => ({
    inclusions: {
      operator: 'or',
      rules: [
        {
          event_sources: [{ id: pixel, type: 'pixel' }],
          retention_seconds: 30 * 86_400,
          filter: {
            operator: 'and',
            filters: [{ field: 'url', operator: 'i_contains', value: '/cart', ...more }],
          },
        },
      ],
    },
  })
  const visitors = (pixel: string, more: object = {}) => ({
    name: 'Cart',
    prefill: 1,
    retention_days: 30,
    rule: rule(pixel),
    ...more,
  })
  const pixelOf = async (account: string) =>
    (await client.get(`${account}/adspixels`, { fields: 'id,name,last_fired_time' })).body.data[0]

  test('are found by the pixel of the account', async () => {
    expect(await pixelOf(TAIPEI)).toEqual({
      id: '339000000000001',
      name: 'Aurora Cosmetics shop',
      last_fired_time: '2026-11-20T03:59:00+0000',
    })
    expect(await pixelOf(EMPTY)).toBeUndefined()
    const { body } = await make(visitors('339000000000001'))
    expect(stateOf(await read(body.id))[0]).toBe(441)
    fill()
    const [operation, delivery, lower] = stateOf(await read(body.id))
    expect([operation, delivery, lower > 0]).toEqual([200, 200, true])
    expect(await read(body.id, 'retention_days,rule')).toMatchObject({
      retention_days: 30,
      rule: JSON.stringify(rule('339000000000001')),
    })
    expect(errorOf(await add(body.id, [1]))).toEqual([100, undefined])
  })

  test('of a silent pixel, or without those of the past, say so', async () => {
    const silent = await make(visitors((await pixelOf(FJORD)).id), FJORD)
    const fresh = await make(visitors('339000000000001', { prefill: 0 }))
    fill()
    expect(stateOf(await read(silent.body.id))[0]).toBe(422)
    expect(stateOf(await read(fresh.body.id))).toEqual([442, 300, 0, 0])
  })

  test('need a pixel, days and rules that exist', async () => {
    for (const wrong of [
      visitors('339000000000002'),
      visitors('339000000000001', { retention_days: 181 }),
      visitors('339000000000001', { rule: { inclusions: { operator: 'or', rules: [] } } }),
    ])
      expect(errorOf(await make(wrong))).toEqual([100, undefined])
    const unknown = visitors('339000000000001', {
      rule: rule('339000000000001', { operator: 'regex_match' }),
    })
    expect((await make(unknown)).status).toBe(501)
  })
})

describe('the terms', () => {
  test('of an account must be accepted, on their page or by control', async () => {
    const tos = async () => (await client.get(DELTA, { fields: 'tos_accepted' })).body.tos_accepted
    expect(await tos()).toEqual({ custom_audience_tos: 0 })
    expect(errorOf(await make(customerFile('x'), DELTA))).toEqual([200, 1_870_090])
    expect((await client.control('PUT', 'terms', { account: DELTA.slice(4) })).body).toEqual({
      not_accepted: [],
    })
    expect(await tos()).toEqual({ custom_audience_tos: 1 })
    expect((await make(customerFile('x'), DELTA)).status).toBe(200)
    await client.control('PUT', 'terms', { account: DELTA.slice(4), accepted: false })
    const page = `${client.sandbox.origin}/ads/manage/customaudiences/tos/?act=${DELTA.slice(4)}`
    expect(await (await fetch(page)).text()).toContain('<button>Accept</button>')
    expect(await (await fetch(page, { method: 'POST' })).text()).toContain('are accepted')
    expect((await fetch(page.replace(/act=.*/, ''))).status).toBe(400)
    expect((await client.control('GET', 'terms')).body).toEqual({ not_accepted: [] })
  })

  test('an account of no business has no audiences', async () => {
    const { body } = await client.get(EMBER, { fields: 'name,business' })
    expect(body).not.toHaveProperty('business')
    expect(errorOf(await make(customerFile('x'), EMBER))).toEqual([200, 1_870_050])
  })
})

describe('sharing', () => {
  test('gives an audience to read and target, not to change or to seed from', async () => {
    const id = await create()
    await add(id, upTo(1000))
    fill()
    await client.post(`${id}/adaccounts`, { adaccounts: [OUTLET.slice(4)] })
    const fields = 'name,permission_for_actions,sharing_status'
    const { body } = await client.get(`${OUTLET}/customaudiences`, { fields, limit: 100 })
    expect(body.data.find((each: { id: string }) => each.id === id)).toMatchObject({
      permission_for_actions: { can_edit: false, can_share: false },
      sharing_status: { status: 'SHARED' },
    })
    expect(errorOf(await make(lookalike(id), OUTLET))).toEqual([100, undefined])
    await client.post(`${id}/adaccounts`, { adaccounts: [OUTLET.slice(4)], method: 'DELETE' })
    expect((await client.get(`${id}/adaccounts`)).body.data).toEqual([])
  })

  test('needs the terms and a business on both sides', async () => {
    const id = await create()
    const share = (account: string) => client.post(`${id}/adaccounts`, { adaccounts: [account.slice(4)] })
    expect(errorOf(await share(DELTA))).toEqual([200, 1_870_090])
    expect(errorOf(await share(EMBER))).toEqual([200, 1_870_050])
  })
})

describe('the quota of audiences', () => {
  test('is one of its own, in the headers and when it is used up', async () => {
    const id = await create()
    const { headers } = await upload(`${id}/users`, rowsOf([1]))
    expect(JSON.parse(headers.get('x-business-use-case-usage') ?? '')[TAIPEI.slice(4)][0]).toMatchObject({
      type: 'custom_audience',
      estimated_time_to_regain_access: 0,
    })
    await client.control('PUT', 'faults', [{ platform: 'meta', action: 'rate_limit', code: 80003 }])
    expect(errorOf(await upload(`${id}/users`, rowsOf([1])))[0]).toBe(80_003)
  })
})
