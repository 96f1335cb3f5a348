import { expect, test } from 'vitest'
import { AURORA, codeOf, startClient } from '#sandbox/testing/google-ads.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const QUERY = `SELECT campaign.id FROM campaign`

const client = resetAfterEach(await startClient())

const arm = async (...faults: object[]) => {
  const armed = faults.map(fault => ({ platform: 'google_ads', ...fault }))
  expect((await client.control('PUT', 'faults', armed)).status).toBe(200)
}

test('a quota is refused with and without a time to wait', async () => {
  await arm(
    { action: 'rate_limit', retry_delay: '5s', count: 1 },
    { action: 'rate_limit', code: 'RESOURCE_EXHAUSTED' },
  )
  const first = await client.search(QUERY)
  expect([first.status, first.body.error.status, codeOf(first)]).toEqual([
    429,
    'RESOURCE_EXHAUSTED',
    'quotaError.RESOURCE_TEMPORARILY_EXHAUSTED',
  ])
  expect(first.body.error.details[0].errors[0].details.quotaErrorDetails).toMatchObject({ retryDelay: '5s' })
  const second = await client.search(QUERY)
  expect(codeOf(second)).toBe('quotaError.RESOURCE_EXHAUSTED')
  expect(second.body.error.details[0].errors[0]).not.toHaveProperty('details')
})

test('an internal error once, then a response; or the front end refuses', async () => {
  await arm({ action: 'server_error', count: 1 })
  const broken = await client.search(QUERY)
  expect([broken.status, codeOf(broken)]).toEqual([500, 'internalError.TRANSIENT_ERROR'])
  expect((await client.search(QUERY)).status).toBe(200)
  await arm({ action: 'server_error', status: 503 })
  expect((await client.search(QUERY)).body.error).toEqual({
    code: 503,
    message: 'The service is currently unavailable.',
    status: 'UNAVAILABLE',
  })
  await arm({ action: 'front_door', status: 401, reason: 'ACCESS_TOKEN_EXPIRED' })
  expect((await client.search(QUERY)).body.error.details[0]).toMatchObject({
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: 'ACCESS_TOKEN_EXPIRED',
  })
})

test('a login expires between two pages, or the page token does', async () => {
  await client.control('PUT', 'limits', { google_ads_page_size: 3 })
  await arm({ action: 'expired_token', skip: 1 })
  const { body } = await client.search(QUERY)
  const next = () => client.search(QUERY, {}, { pageToken: body.nextPageToken })
  const refused = await next()
  expect([refused.status, codeOf(refused)]).toEqual([401, 'authenticationError.OAUTH_TOKEN_EXPIRED'])
  await arm({ action: 'expired_page_token' })
  expect((await client.search(QUERY)).status).toBe(200)
  expect(codeOf(await next())).toBe('requestError.EXPIRED_PAGE_TOKEN')
})

test('one customer is taken away, or a version', async () => {
  await arm({ action: 'revoked', account: AURORA })
  const refused = await client.search(QUERY)
  expect([refused.status, codeOf(refused)]).toEqual([403, 'authorizationError.USER_PERMISSION_DENIED'])
  expect((await client.search(QUERY, { customer: '4203141502' })).status).toBe(200)
  await arm({ action: 'unsupported_version' })
  expect(codeOf(await client.search(QUERY))).toBe('requestError.UNSUPPORTED_VERSION')
})

test('a stream fails after it began, is cut or unreadable', async () => {
  await client.control('PUT', 'limits', { google_ads_page_size: 3 })
  await arm({ action: 'stream_error' })
  const { status, body } = await client.stream(QUERY)
  expect([status, body.length, body[0].results.length, body[1].error.code]).toEqual([200, 2, 3, 500])
  await arm({ action: 'cut' })
  await expect(client.stream(QUERY)).rejects.toThrow('terminated')
  await arm({ action: 'malformed' })
  await expect(client.search(QUERY)).rejects.toThrow(SyntaxError)
})

test('any other error is returned as configured, and an invalid fault is not armed', async () => {
  await arm({ action: 'error', family: 'authorizationError', code: 'PROJECT_DISABLED', message: 'odd' })
  expect(codeOf(await client.search(QUERY))).toBe('authorizationError.PROJECT_DISABLED')
  const wrong = await client.control('PUT', 'faults', [{ platform: 'google_ads', action: 'explode' }])
  expect(wrong.status).toBe(400)
  expect((await client.control('PUT', 'limits', { google_ads_page_size: 0 })).status).toBe(400)
  expect((await client.control('PUT', 'limits', { page_size: 3 })).status).toBe(400)
})

test('requests are logged by customer', async () => {
  await client.search(QUERY)
  const { body } = await client.control('GET', 'requests')
  expect(body.requests.at(-1)).toMatchObject({ platform: 'google_ads', method: 'POST', account: AURORA })
})
