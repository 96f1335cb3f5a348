import { describe, expect, it } from 'vitest'
import type { QuotaKey } from '#server/connectors/connector.ts'
import { rowsOf } from '#server/connectors/testing/context.ts'
import { failing, refusal, request, serving, type Answer } from './testing/responses.ts'
import { googleAds } from './report.ts'
import { login } from './testing/sandbox.ts'

/** How a report with this response ends, and which quotas pause. */
async function met(answer: Answer) {
  const { io, requests } = await serving(answer)
  const paused: [string, number][] = []
  const report = async ({ kind }: QuotaKey, { pause_ms }: { pause_ms: number }) => {
    if (pause_ms > 0) paused.push([kind, pause_ms])
  }
  const limiter = { acquire: async () => {}, report }
  const failure = await rowsOf(googleAds.fetchReport(request, { ...io, limiter })).catch(
    (error: unknown) => error,
  )
  return { failure, paused, requests }
}

describe('a refusal of Google Ads', () => {
  const rush = (more: object) => failing(429, [refusal('quotaError', 'RESOURCE_TEMPORARILY_EXHAUSTED', more)])
  const delayed = (retryDelay: string, rateScope = 'ACCOUNT') => ({
    details: { quotaErrorDetails: { rateScope, rateName: 'Requests', retryDelay } },
  })

  it('for too many requests pauses the account or the project as long as Google says', async () => {
    const account = await met(rush(delayed('7.5s')))
    expect(account.failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7500 })
    expect(account.paused).toEqual([1, 2, 3, 4].map(() => ['account', 7500]))
    expect((await met(rush(delayed('3s', 'DEVELOPER')))).paused[0]).toEqual(['app', 3000])
    expect((await met(rush({}))).paused[0]).toEqual(['account', 5000])
  })

  it('for the day holds the project back, and is not tried again', async () => {
    const day = failing(429, [refusal('quotaError', 'RESOURCE_EXHAUSTED', delayed('7200s'))])
    const { failure, paused, requests } = await met(day)
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 7_200_000 })
    expect([paused, requests.length]).toEqual([[['app', 7_200_000]], 1])
  })

  it('for a costly query pauses nothing else', async () => {
    const costly = refusal('quotaError', 'EXCESSIVE_SHORT_TERM_QUERY_RESOURCE_CONSUMPTION')
    const { failure, paused, requests } = await met(failing(429, [costly]))
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 300_000 })
    expect([paused, requests.length]).toEqual([[], 1])
  })

  it('of the front door is waited for as it says', async () => {
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '11s' }
    expect((await met(failing(429, [info]))).failure).toMatchObject({ retry_after_ms: 11_000 })
    expect((await met({ status: 429, body: 'slow down' })).failure).toMatchObject({
      code: 'quota_exhausted',
      retry_after_ms: 5000,
    })
  })

  it('is stored in the words of Google, with its request id, but never with a secret', async () => {
    const words = `bad token ya29.number-1 of ${login.refresh_token}, ${login.client_secret}`
    const { failure } = await met(
      failing(400, [refusal('queryError', 'UNRECOGNIZED_FIELD', { message: words })]),
    )
    expect(failure).toMatchObject({
      code: 'platform_error',
      platform_message: 'bad token … of …, … [queryError.UNRECOGNIZED_FIELD]',
      platform_request_id: 'v88qTFjn',
    })
  })

  it.each([
    'Google Ads API has not been used in project 1000 before or it is disabled.',
    'Request had insufficient authentication scopes.',
  ])('is of the login where its words say so, and no account is called lost: %s', async message => {
    const { failure, requests } = await met(failing(403, [], message))
    expect(failure).toMatchObject({ code: 'credential_expired', platform_message: `${message} [403]` })
    expect(requests.length).toBe(1)
  })

  it('of a token is met with a new one, once', async () => {
    const { failure, requests } = await met(
      failing(401, [refusal('authenticationError', 'OAUTH_TOKEN_EXPIRED')]),
    )
    expect(failure).toMatchObject({ code: 'credential_expired' })
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer ya29.number-1',
      'Bearer ya29.number-2',
    ])
  })

  it.each([
    ['queryError', 'SOMETHING_NEW', 400, 'platform_error'],
    ['authorizationError', 'SOMETHING_NEW', 403, 'account_access_lost'],
    ['authenticationError', 'SOMETHING_NEW', 401, 'credential_expired'],
    ['internalError', 'SOMETHING_NEW', 500, 'platform_unavailable'],
    ['quotaError', 'SOMETHING_NEW', 429, 'quota_exhausted'],
    ['newError', 'SOMETHING_NEW', 400, 'platform_error'],
    ['dateRangeError', 'INVALID_DATE', 400, 'history_limit'],
  ])('of a kind unknown so far, %s.%s, is taken by its family', async (family, code, status, ends) => {
    expect((await met(failing(status, [refusal(family, code)]))).failure).toMatchObject({ code: ends })
  })
})
