import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, startClient, type Parameters } from '#sandbox/testing/meta.ts'
import type { Reply } from '#sandbox/testing/reply.ts'

const TAIPEI = 'act_10150357160960121'
const FAILING = 'act_10150733820019015'
const TOO_LARGE = 'act_10150733820019016'
const SKIPPING = 'act_10150844730556017'
const OPT_IN = 'act_10150844730556009'
const LARGE = 'act_10150733820019011'
const WEEK = { since: '2026-11-02', until: '2026-11-08' }
const MONTH = { since: '2026-10-01', until: '2026-10-31' }

let client: Client
beforeAll(async () => {
  client = await startClient()
})
afterAll(() => client.sandbox.stop())

async function start(account: string, parameters: Parameters): Promise<string> {
  const { status, body } = await client.post(`${account}/insights`, parameters)
  expect(status).toBe(200)
  expect(body.report_run_id).toMatch(/^\d+$/)
  return body.report_run_id
}

/** Polls until nothing more will change. */
async function watch(id: string): Promise<Reply['body'][]> {
  const polls: Reply['body'][] = []
  for (let count = 0; count < 10; count++) {
    const { body } = await client.get(id)
    polls.push(body)
    const done = body.async_status === 'Job Completed' && body.async_percent_completion === 100
    if (done || ['Job Failed', 'Job Skipped'].includes(body.async_status)) return polls
  }
  throw new Error('the job never ends')
}

describe('a report job', () => {
  test('goes in steps, and gives the same rows as a synchronous request', async () => {
    const parameters = { level: 'campaign', fields: 'campaign_id,spend,reach', time_range: WEEK }
    const id = await start(TAIPEI, parameters)
    const early = await client.get(`${id}/insights`)
    expect(early.status).toBe(400)
    const polls = await watch(id)
    expect(polls[0]).toMatchObject({ id, async_status: 'Job Running', async_percent_completion: 40 })
    expect(polls.at(-1)).toMatchObject({
      account_id: TAIPEI.slice(4),
      date_start: '2026-11-02',
      date_stop: '2026-11-08',
      time_completed: expect.any(Number),
    })
    const { body } = await client.get(`${id}/insights`, { limit: 500 })
    expect(body.data).toEqual(
      (await client.get(`${TAIPEI}/insights`, { ...parameters, limit: 500 })).body.data,
    )
  })

  test('is not done when it says completed, but only at 100 percent', async () => {
    const id = await start(LARGE, { fields: 'spend', time_range: MONTH })
    const polls = await watch(id)
    expect(
      polls.map(({ async_status: status, async_percent_completion: percent }) => `${status} ${percent}`),
    ).toEqual(['Job Not Started 0', 'Job Running 40', 'Job Completed 95', 'Job Completed 100'])
  })

  test('pages with cursors of its own', async () => {
    const id = await start(LARGE, { level: 'ad', fields: 'ad_id', time_range: MONTH, time_increment: 1 })
    await watch(id)
    const first = await client.get(`${id}/insights`, { limit: 500 })
    expect(first.body.data).toHaveLength(500)
    expect(first.body.paging.next).toContain(`/${id}/insights?`)
    const second = await client.get(`${id}/insights`, { limit: 500, after: first.body.paging.cursors.after })
    expect(second.body.data).toHaveLength(500)
    expect(second.body.data[0]).not.toEqual(first.body.data[0])
  })

  test('fails in the account whose reports fail', async () => {
    const id = await start(FAILING, { fields: 'spend', time_range: WEEK })
    expect((await watch(id)).at(-1)).toMatchObject({
      async_status: 'Job Failed',
      error_code: -2,
      error_subcode: 2490547,
      error_message: expect.any(String),
    })
  })

  test('of more than 14 days is too large in another account', async () => {
    const fate = async (time_range: object) =>
      (await watch(await start(TOO_LARGE, { fields: 'spend', time_range }))).at(-1)
    expect(await fate(MONTH)).toMatchObject({
      async_status: 'Job Failed',
      error_code: -3,
      error_subcode: 1504045,
    })
    expect(await fate(WEEK)).toMatchObject({ async_status: 'Job Completed' })
  })

  test('is skipped once in a third', async () => {
    const parameters = { fields: 'spend', time_range: WEEK }
    expect((await watch(await start(SKIPPING, parameters))).at(-1).async_status).toBe('Job Skipped')
    expect((await watch(await start(SKIPPING, parameters))).at(-1).async_status).toBe('Job Completed')
  })

  test('gives what the synchronous form leaves out', async () => {
    const old = {
      fields: 'reach,spend',
      breakdowns: 'device_platform',
      time_range: { since: '2025-10-01', until: '2025-10-31' },
    }
    const id = await start(TAIPEI, old)
    await watch(id)
    expect((await client.get(`${id}/insights`)).body.data[0]).toHaveProperty('reach')
    const devices = { fields: 'spend', breakdowns: 'publisher_platform,impression_device', time_range: WEEK }
    const opted = await start(OPT_IN, devices)
    await watch(opted)
    expect((await client.get(`${opted}/insights`)).body.data.length).toBeGreaterThan(0)
  })

  test('for old reach with a breakdown is limited to ten times a day', async () => {
    const old = {
      fields: 'reach',
      breakdowns: 'age',
      time_range: { since: '2025-10-01', until: '2025-10-31' },
    }
    const account = 'act_10150400220131004'
    for (let count = 0; count < 10; count++) await start(account, old)
    const refused = await client.post(`${account}/insights`, old)
    expect(refused.body.error.message).toContain('Reach-related metric breakdowns are unavailable')
  })

  test('refuses an invalid request at once', async () => {
    const { status, body } = await client.post(`${TAIPEI}/insights`, { fields: 'cost' })
    expect([status, body.error.code]).toEqual([400, 100])
  })

  test('is hidden from those who do not see the account', async () => {
    expect((await client.get('699999999999999999')).body.error).toMatchObject({
      code: 100,
      error_subcode: 33,
    })
  })
})

test('a request may be posted as a form of several parts, but not as plain text', async () => {
  const form = new FormData()
  form.set('fields', 'spend')
  const address = `${client.sandbox.origin}/v25.0/${TAIPEI}/insights`
  const headers = { authorization: 'Bearer sandbox-agency' }
  expect((await fetch(address, { method: 'POST', headers, body: form })).status).toBe(200)
  const text = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/plain' },
    body: '{"fields":"spend"}',
  })
  expect(text.status).toBe(400)
})
