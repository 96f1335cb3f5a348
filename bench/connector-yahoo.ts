import { sourceOf, type ReportRequest } from '#server/connectors/connector.ts'
import { lyAds, yahooDsp } from '#server/connectors/yahoo/report.ts'
import {
  connectorCases,
  dayAfter,
  serve,
  SIZES_OF_FILES,
  type PlatformReply,
  type BenchRequest,
  type ConnectorBench,
} from './connector.ts'

const FIRST = '2026-08-20'
/** The longest range for which a file of single ads is requested. */
const DAYS = 92

const request = (provider: 'ly_search' | 'yahoo_dsp'): ReportRequest => ({
  channel: 'yg',
  account: { provider, external_id: '1', currency: 'JPY', timezone: 'Asia/Tokyo', via: null },
  range: { start: FIRST, end: dayAfter(FIRST, DAYS - 1) },
  time: 'date',
  dimensions: ['ad'],
  metrics: ['impressions', 'clicks', 'cost', 'conversions', 'conversion_value'],
  filters: [],
})

const benches: ConnectorBench[] = [
  {
    what: 'LY Ads, files of search ads',
    reach: 1.2,
    source: sourceOf(lyAds, { client_id: 'bench', client_secret: 'bench', refresh_token: 'bench' }),
    request: () => request('ly_search'),
    reply: lyReply,
    sizes: SIZES_OF_FILES,
  },
  {
    what: 'Yahoo DSP, files of ads',
    reach: 1.2,
    source: sourceOf(yahooDsp, { client_id: 'bench', client_secret: 'a secret of thirty-two characters' }),
    request: () => request('yahoo_dsp'),
    reply: dspReply,
    sizes: SIZES_OF_FILES,
  },
]

export const cases = connectorCases(import.meta.filename, benches)

if (import.meta.main) await serve(benches)

/** The file of any request is ready at once. */
function lyReply({ path, rows }: BenchRequest): PlatformReply {
  if (path.endsWith('token')) return { json: TOKEN }
  if (!path.endsWith('/download')) return { json: LY_JOB }
  const header = 'Account ID,Day,Ad ID,Ad name,Impressions,Clicks,Cost,Conversions,Conv. value'
  let impressions = 0
  const lines = Array.from({ length: rows }, (_, row) => {
    const { day, id, name, numbers } = rowOf(row)
    impressions += numbers[0]
    return ['1', day, id, name, ...numbers].join(',')
  })
  return { csv: [header, ...lines, `Total,--,--,--,${impressions},1,1,1,1`, ''].join('\n') }
}

const TOKEN = '{"access_token":"bench","expires_in":3600}'
const LY_JOB = JSON.stringify({
  errors: null,
  rval: {
    totalNumEntries: 1,
    values: [{ errors: null, reportDefinition: { reportJobId: 1, reportJobStatus: 'COMPLETED' } }],
  },
})

function dspReply({ path, rows, origin, body }: BenchRequest): PlatformReply {
  if (path.endsWith('access_token')) return { json: TOKEN }
  if (path === 'traffic/currencies') return { json: '{"response":[{"id":1,"code":"JPY"}]}' }
  if (path.startsWith('yamplus_api'))
    return {
      json: JSON.stringify(
        body ? { customerReportId: 'r' } : { status: 'Success', url: `${origin}/file`, numRows: rows },
      ),
    }
  const header = 'Day,Advertiser ID,Advertiser,Ad ID,Ad,Impressions,Clicks,Cost,Conversions,Conversion value'
  const lines = Array.from({ length: rows }, (_, row) => {
    const { day, id, name, numbers } = rowOf(row)
    return [day, '1', 'Aurora', id, name, ...numbers].join(',')
  })
  return { csv: [header, ...lines, ''].join('\n') }
}

const days = Array.from({ length: DAYS }, (_, offset) => dayAfter(FIRST, offset).replaceAll('-', '/'))

function rowOf(row: number) {
  const ad = Math.floor(row / DAYS)
  return {
    day: days[row % DAYS],
    id: 5_550_000_000 + ad,
    name: `"Autumn, sale ${ad} 秋の新作"`,
    numbers: [1200 + (row % 977), row % 97, 5120 + (row % 7919), `${row % 9}.5`, 18_000] as const,
  }
}
