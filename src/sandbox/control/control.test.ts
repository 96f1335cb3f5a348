import { describe, expect, test } from 'vitest'
import { startClient } from '#sandbox/testing/meta.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const TAIPEI = 'act_10150357160960121'
const OUTLET = 'act_10150357160960122'

const client = resetAfterEach(await startClient())

const arm = async (...faults: object[]) => {
  const { status } = await client.control('PUT', 'faults', faults)
  expect(status).toBe(200)
}
const spend = (account = TAIPEI) => client.get(`${account}/insights`, { fields: 'spend' })
const error = async (account?: string) => {
  const { status, body } = await spend(account)
  return [status, body.error?.code, body.error?.error_subcode]
}

describe('faults', () => {
  test.each([
    [{}, [400, 17, 2446079]],
    [{ code: 4, error_subcode: 1504022 }, [403, 4, 1504022]],
    [{ code: 80000 }, [400, 80000, 2446079]],
    [{ code: 613 }, [400, 613, undefined]],
    [{ code: 613, error_subcode: 1487742 }, [400, 613, 1487742]],
  ])('refuse by quota: %o', async (codes, expected) => {
    await arm({ platform: 'meta', action: 'rate_limit', ...codes })
    expect(await error()).toEqual(expected)
    const { headers } = await spend()
    expect(headers.get('x-business-use-case-usage')).toContain('estimated_time_to_regain_access')
  })

  test('expire a login, revoke an account, refuse too much', async () => {
    await arm({ platform: 'meta', action: 'expired_token' })
    expect(await error()).toEqual([401, 190, 463])
    await arm({ platform: 'meta', action: 'revoked' })
    expect(await error()).toEqual([403, 200, undefined])
    await arm({ platform: 'meta', action: 'too_much_data' })
    expect(await error()).toEqual([400, 100, 1487534])
    await arm({
      platform: 'meta',
      action: 'error',
      code: 2,
      error_subcode: 1504044,
      status: 500,
      message: 'odd',
    })
    expect(await error()).toEqual([500, 2, 1504044])
  })

  test('hit one account, one path and a number of requests', async () => {
    await arm({
      platform: 'meta',
      action: 'rate_limit',
      account: TAIPEI.slice(4),
      path: '/insights$',
      skip: 1,
      count: 2,
    })
    const codes = []
    for (let count = 0; count < 4; count++) codes.push((await error())[1])
    expect(codes).toEqual([undefined, 17, 17, undefined])
    await arm({ platform: 'meta', action: 'rate_limit', account: TAIPEI.slice(4) })
    expect((await spend(OUTLET)).status).toBe(200)
    expect((await spend()).status).toBe(400)
  })

  test('break servers and connections', async () => {
    await arm({ platform: 'meta', action: 'server_error', status: 503 })
    const broken = await spend()
    expect([broken.status, broken.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
    await arm({ platform: 'meta', action: 'server_error' })
    expect(await error()).toEqual([500, 2, undefined])
    await arm({ platform: 'meta', action: 'cut', count: 1 })
    await expect(spend()).rejects.toThrow('terminated')
    await arm({ platform: 'meta', action: 'malformed', count: 1 })
    await expect(spend()).rejects.toThrow(SyntaxError)
    expect((await spend()).status).toBe(200)
  })

  test('delay a response that is otherwise right', async () => {
    await arm({ platform: 'meta', action: 'latency', delay_ms: 1 })
    expect((await spend()).status).toBe(200)
  })

  test('raise the usage', async () => {
    await arm({ platform: 'meta', action: 'usage', percent: 96 })
    const { status, headers } = await spend()
    expect(status).toBe(200)
    expect(JSON.parse(headers.get('x-fb-ads-insights-throttle') ?? '')).toMatchObject({ acc_id_util_pct: 96 })
  })

  test('repeat a page, and cut pages out of the list in another order without losing a row', async () => {
    const pages = async (...faults: object[]) => {
      await arm(...faults)
      const parameters = { fields: 'campaign_id', level: 'campaign', limit: 9 }
      const ids: string[][] = []
      for (let after: string | null = ''; after !== null;) {
        const { body } = await client.get(`${TAIPEI}/insights`, { ...parameters, ...(after && { after }) })
        ids.push(body.data.map((row: { campaign_id: string }) => row.campaign_id))
        after = body.paging?.next ? body.paging.cursors.after : null
      }
      return ids
    }
    const [first = [], second = [], ...others] = await pages()
    expect([first.length, second.length]).toEqual([9, 9])
    const repeated = await pages({ platform: 'meta', action: 'repeat_page', skip: 1, count: 1 })
    expect(repeated).toEqual([first, first, ...others])
    const reordered = await pages({ platform: 'meta', action: 'reorder' })
    expect(reordered[0]).not.toEqual(first)
    expect(reordered.flat().toSorted()).toEqual([first, second, ...others].flat().toSorted())
  })

  test.each([
    ['async_failed', 'Job Failed', -2],
    ['async_too_much', 'Job Failed', -3],
    ['async_skipped', 'Job Skipped', undefined],
  ])('spoil report jobs: %s', async (action, asyncStatus, errorCode) => {
    await arm({ platform: 'meta', action, method: 'POST' })
    const { body } = await client.post(`${TAIPEI}/insights`, { fields: 'spend' })
    await client.get(body.report_run_id)
    const last = await client.get(body.report_run_id)
    expect([last.body.async_status, last.body.error_code]).toEqual([asyncStatus, errorCode])
  })

  test('are listed with their remaining count, and refused when they are invalid', async () => {
    await arm({ platform: 'meta', action: 'rate_limit', count: 2 })
    await spend()
    expect((await client.control('GET', 'faults')).body.faults).toMatchObject([
      { action: 'rate_limit', count: 1 },
    ])
    const refused = await client.control('PUT', 'faults', [{ platform: 'meta', action: 'explode' }])
    expect(refused.status).toBe(400)
    expect((await client.control('PUT', 'faults', [{ platform: 'mars', action: 'cut' }])).status).toBe(400)
    expect((await client.control('GET', 'faults')).body.faults).toHaveLength(1)
  })
})

describe('the clock', () => {
  test('is set, runs faster, and goes back to real time', async () => {
    const set = await client.control('PUT', 'clock', { now: '2026-02-01T00:00:00Z', speed: 0 })
    expect(set.body).toEqual({ now: '2026-02-01T00:00:00.000Z', speed: 0, set: true })
    const { body } = await client.get(`${TAIPEI}/insights`, { date_preset: 'today', time_increment: 1 })
    expect(body.data[0].date_start).toBe('2026-02-01')
    expect((await client.control('PUT', 'clock', { now: 'tomorrow' })).status).toBe(400)
    await client.control('POST', 'reset')
    expect((await client.control('GET', 'clock')).body).toMatchObject({ set: false, speed: 1 })
  })
})

describe('the log', () => {
  test('counts requests per platform, without tokens', async () => {
    await spend()
    await fetch(`${client.sandbox.origin}/v25.0/me?access_token=sandbox-agency`)
    const { body } = await client.control('GET', 'requests')
    expect(body.totals.meta).toMatchObject({ requests: 2, by_status: { 200: 2 } })
    expect(body.requests[0]).toMatchObject({
      platform: 'meta',
      method: 'GET',
      status: 200,
      account: TAIPEI.slice(4),
    })
    expect(JSON.stringify(body)).not.toContain('sandbox-agency')
  })
})

describe('the control endpoint', () => {
  test('has a page that escapes what it shows', async () => {
    await arm({ platform: 'meta', action: 'error', message: '</textarea><script>alert(1)</script>' })
    const { headers, body } = await client.control('GET', '')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(body).not.toContain('<script>alert')
  })

  test('refuses other sites', async () => {
    const response = await fetch(`${client.sandbox.origin}/control/reset`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
    })
    expect(response.status).toBe(403)
  })

  test('names what it does not know', async () => {
    expect((await client.control('GET', 'nothing')).status).toBe(404)
    expect((await client.control('PUT', 'faults')).status).toBe(400)
  })
})

test('a path of no platform is not found', async () => {
  expect((await fetch(`${client.sandbox.origin}/v1/unknown`)).status).toBe(404)
})
