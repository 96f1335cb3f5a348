import type { IncomingMessage } from 'node:http'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { startServer } from '#server/connectors/testing/server.ts'
import { rowsOf, testContext } from '#server/connectors/testing/context.ts'
import { googleAds } from '#server/connectors/google-ads/report.ts'
import { GoogleAdsLogin, type GoogleAdsIo } from '#server/connectors/google-ads/schema.ts'
import { aurora, login, NOW } from './sandbox.ts'

// A server of our own, for responses that the sandbox does not give, and to see what is requested.

export const request: ReportRequest = {
  channel: 'aw',
  account: aurora,
  range: { start: '2026-11-01', end: '2026-11-03' },
  time: 'date',
  dimensions: ['campaign'],
  metrics: ['impressions', 'cost', 'conversions', 'conversion_value', 'reach', 'video_p25'],
  filters: [],
}
export const row = (day: number, id = '1', metrics: object = { impressions: '7' }) => ({
  campaign: { id, name: `Campaign ${id}` },
  segments: { date: `2026-11-0${day}` },
  metrics,
})

export interface Answer {
  status?: number
  headers?: Record<string, string>
  body: unknown
}

interface SentRequest {
  headers: IncomingMessage['headers']
  query: string
  pageToken: string | undefined
}

/** Serves a token, then the responses one after another, the last one for good; records the requests. */
export async function serving(...answers: Answer[]): Promise<{ io: GoogleAdsIo; requests: SentRequest[] }> {
  const requests: SentRequest[] = []
  let tokens = 0
  const origin = await startServer(async (incoming, response) => {
    const sent = Buffer.concat(await Array.fromAsync(incoming)).toString()
    if (incoming.url === '/token') {
      tokens += 1
      return response.end(JSON.stringify({ access_token: `ya29.number-${tokens}`, expires_in: 3599 }))
    }
    requests.push({ headers: incoming.headers, ...JSON.parse(sent) })
    const {
      status = 200,
      headers = {},
      body,
    } = answers[Math.min(requests.length, answers.length) - 1] ?? { body: {} }
    return response
      .writeHead(status, headers)
      .end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
  })
  return {
    io: { ...testContext(origin, NOW), login: GoogleAdsLogin.parse(login) },
    requests,
  }
}

export const fetchFrom = async (...answers: Answer[]) =>
  rowsOf(googleAds.fetchReport(request, (await serving(...answers)).io))
export const page = (results: unknown[], nextPageToken?: string) => ({ body: { results, nextPageToken } })
export const failing = (status: number, details: object[], message = 'no') => ({
  status,
  body: { error: { code: status, message, details } },
})
export const refusal = (family: string, code: string, more: object = {}) => ({
  errors: [{ errorCode: { [family]: code }, message: 'no', ...more }],
  requestId: 'v88qTFjn',
})
