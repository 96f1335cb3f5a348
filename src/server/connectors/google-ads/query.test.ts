import { describe, expect, it } from 'vitest'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { rowsOf } from '#server/connectors/testing/context.ts'
import { page, request, serving } from './testing/responses.ts'
import { googleAds } from './report.ts'
import { GoogleAdsLogin } from './schema.ts'
import { login } from './testing/sandbox.ts'

describe('a query of Google Ads', () => {
  it('names the manager without dashes, and a developer token only when there is one', async () => {
    const { io, requests } = await serving(page([]))
    await rowsOf(googleAds.fetchReport(request, io))
    const withToken = GoogleAdsLogin.parse({ ...login, developer_token: 'of-long-ago' })
    await rowsOf(googleAds.fetchReport(request, { ...io, login: withToken }))
    expect(requests.map(({ headers }) => headers['login-customer-id'])).toEqual(['1110000001', '1110000001'])
    expect(requests.map(({ headers }) => headers['developer-token'])).toEqual([undefined, 'of-long-ago'])
  })

  it('reads the coarsest resource that has every dimension', async () => {
    const { io, requests } = await serving(page([]))
    const from = async (channel: 'aw' | 'aw_keyword', ...dimensions: ReportRequest['dimensions']) => {
      await rowsOf(googleAds.fetchReport({ ...request, channel, dimensions, metrics: ['clicks'] }, io))
      const [main] = requests.splice(0).filter(({ query }) => query.includes('metrics.clicks'))
      return /FROM (\w+)/.exec(main?.query ?? '')?.[1]
    }
    expect(await from('aw')).toBe('customer')
    expect(await from('aw', 'device_type')).toBe('customer')
    expect(await from('aw', 'device_type', 'campaign')).toBe('campaign')
    expect(await from('aw', 'campaign', 'ad_group')).toBe('ad_group')
    expect(await from('aw', 'ad', 'campaign')).toBe('ad_group_ad')
    expect(await from('aw_keyword')).toBe('keyword_view')
    expect(await from('aw_keyword', 'ad_group', 'keyword')).toBe('keyword_view')
  })
})
