import { describe, expect, it } from 'vitest'
import { sourceOf } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, rowsOf } from '#server/connectors/testing/context.ts'
import { yahooDsp } from './report.ts'
import { advertiser, NOW, recordedContext, requestOf } from './testing/sandbox.ts'

const source = sourceOf(yahooDsp, { client_id: 'any', client_secret: 'sandbox-admin' })

const sandbox = sandboxOfFile(NOW)

const fetchBy = (fetching: typeof fetch) => {
  const { context } = recordedContext(sandbox.base_url, { fetch: fetching })
  return rowsOf(fetchPages(source, requestOf({ account: advertiser }), context))
}

describe('a file of Yahoo DSP', () => {
  it('does not send its token to another host that stores the file, and takes no refusal of it for Yahoo’s', async () => {
    const sentTokens: boolean[] = []
    const away = 'https://files.example/report.csv'
    const fetching: typeof fetch = async (input, init) => {
      if (String(input) !== away) return answerWith({ url: away })(input, init)
      sentTokens.push(new Headers(init?.headers).has('x-auth-token'))
      return new Response('<Error>Request has expired</Error>', { status: 403 })
    }
    await expect(fetchBy(fetching)).rejects.toThrow('platform_error')
    expect(sentTokens).toEqual([false])
  })

  it('reads a file that lies elsewhere', async () => {
    const away = 'https://files.example/report.csv'
    const fetching: typeof fetch = async (input, init) => {
      if (String(input) !== away) return answerWith({ url: away, numRows: 2 })(input, init)
      return new Response(
        'Day,Advertiser,Advertiser ID,Impressions,Advertiser Spending\n2026-10-01,"Aurora, 1",330030,5,0.000001\n2026-10-02,x,330030,,--\n',
      )
    }
    const rows = await fetchBy(fetching)
    expect(rows.map(({ values }) => values)).toEqual([
      [5, 1],
      [Number.NaN, Number.NaN],
    ])
  })

  it.each([
    ['of another advertiser', 'Day,Advertiser ID,Advertiser,Impressions,Spend\n2026-10-01,330031,x,5,1\n'],
    ['without ids', 'Day,Advertiser,Name,Impressions,Spend\n2026-10-01,330030,x,5,1\n'],
    ['of other columns', 'Day,Advertiser ID,Advertiser,Impressions\n2026-10-01,330030,x,5\n'],
    ['of other days', 'Day,Advertiser ID,Advertiser,Impressions,Spend\n2026-11-01,330030,x,5,1\n'],
    ['that lacks a row', 'Day,Advertiser ID,Advertiser,Impressions,Spend\n'],
    ['that is empty', ''],
  ])('refuses a file %s', async (_, file) => {
    const away = 'https://files.example/report.csv'
    const fetching: typeof fetch = async (input, init) =>
      String(input) === away ? new Response(file) : answerWith({ url: away, numRows: 1 })(input, init)
    await expect(fetchBy(fetching)).rejects.toThrow('platform_error: unreadable answer')
  })

  it('has no file when it has no rows', async () => {
    const fetching = answerWith({ url: null, numRows: 0 })
    expect(await fetchBy(fetching)).toEqual([])
  })

  it('refuses an address that is no safe one', async () => {
    const fetching = answerWith({ url: 'http://169.254.169.254/latest/meta-data' })
    await expect(fetchBy(fetching)).rejects.toThrow('the address of a report')
  })
})

/** The sandbox, but for what a finished report says of itself. */
const answerWith =
  (changes: object): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    if (!String(input).includes('extreport/r')) return response
    const state = (await response.json()) as { url?: string }
    return Response.json(state.url ? { ...state, ...changes } : state)
  }
