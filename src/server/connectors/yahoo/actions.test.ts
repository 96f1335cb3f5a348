import { describe, expect, it } from 'vitest'
import { ReportPending, sourceOf, type AccountRef, type ReportRequest } from '#server/connectors/connector.ts'
import { csvRows } from '#server/connectors/kit/csv.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { fetchPages, keyOf, rowsOf, summed, testJobs } from '#server/connectors/testing/context.ts'
import { yahooDsp } from './report.ts'
import { advertiser, aurora, NOW, recordedContext, requestOf, search } from './testing/sandbox.ts'

const SIGN_UP = '会員登録 "無料", 100%_\\'
const LEAD = "Lead's form, 資料請求"
const ODD = ['it\'s "50%" \\ 轉換', 'Total', '--', '', 'purchase', 'x'.repeat(200)]
const display: AccountRef = { ...aurora, provider: 'ly_display', external_id: '1002928', via: '1000200' }
const all = ['all_conversions', 'all_conversion_value']

const sandbox = sandboxOfFile(NOW)
const context = (changes = {}) => recordedContext(sandbox.base_url, changes)
const fetchRows = (changes: Partial<ReportRequest> = {}, to = context()) => {
  const request = { metrics: ['conversions', 'conversion_value'], dimensions: ['campaign' as const] }
  return rowsOf(fetchPages(search, requestOf({ ...request, ...changes }), to.context))
}
const operandOf = (to: ReturnType<typeof context>) => to.sent('add')[0]?.operand?.[0]

describe('conversions of LY by name', () => {
  it.each([
    ['search', aurora, ['Purchase', SIGN_UP]],
    ['display', display, ['Purchase', LEAD]],
  ] as const)('are the sum of the names in %s ads, each row once', async (_, account, actions) => {
    const rows = await fetchRows({ account, actions, time: 'month' })
    const parts = await Promise.all(
      actions.map(name => byHand(account, name, '20261001', '20261031', 'CAMPAIGN_ID')),
    )
    const sums = Object.entries(summed(parts.flat(), ({ keys }) => keys.join()))
    expect(rows.map(({ keys, values }) => [keys.join(), values])).toEqual(sums.toSorted())
    expect(sums.length).toBeGreaterThan(3)
    expect(new Set(rows.map(keyOf)).size).toBe(rows.length)
  })

  it('of every name are all conversions, day by day', async () => {
    const names = (await search.listActions(aurora, context().context)).map(({ name }) => name)
    expect(names.length).toBe(3)
    const rows = await fetchRows({ actions: names })
    const expected = (await fetchRows({ metrics: all })).filter(({ values }) =>
      values.some(value => value > 0),
    )
    expect(rows).toEqual(expected)
  })

  it.each([['device_type'], ['keyword'], ['ad_group']] as const)('add up by %s', async dimension => {
    const actions = [SIGN_UP, 'Purchase']
    const days = await fetchRows({ actions, dimensions: [dimension] })
    const total = await fetchRows({ actions, dimensions: [dimension], time: 'total' })
    const byKey = ({ keys }: { keys: string[] }) => keys.join()
    expect(summed(total, byKey)).toEqual(summed(days, byKey))
    expect(new Set(days.map(keyOf)).size).toBe(days.length)
  })

  it('puts old phones and new ones of display ads in one row', async () => {
    const rows = await fetchRows({ account: display, actions: [LEAD], dimensions: ['device_type'] })
    expect(new Set(rows.map(keyOf)).size).toBe(rows.length)
    expect(rows.filter(({ values }) => !values.some(value => value > 0))).toEqual([])
  })

  it('are in the same rows whichever of their numbers is requested', async () => {
    const both = await fetchRows({ actions: [SIGN_UP] })
    const values = await fetchRows({ actions: [SIGN_UP], metrics: ['conversion_value'] })
    expect(values.map(keyOf)).toEqual(both.map(keyOf))
    expect(new Set(values.map(row => row.values[0]))).toEqual(new Set([0]))
  })

  it('of names that do not exist are none, whatever they are', async () => {
    expect(await fetchRows({ actions: ODD })).toEqual([])
    expect(await fetchRows({ actions: [...ODD, SIGN_UP, SIGN_UP] })).toEqual(
      await fetchRows({ actions: [SIGN_UP] }),
    )
  })

  it('take one report, without a word of what is impossible beside them, and take it back', async () => {
    const to = context()
    await fetchRows({ actions: ['Purchase'] }, to)
    expect([to.sent('add').length, to.sent('remove').length]).toEqual([1, 1])
    expect(operandOf(to)?.['fields']).toEqual([
      'ACCOUNT_ID',
      'DAY',
      'CAMPAIGN_ID',
      'CAMPAIGN_NAME',
      'CONVERSION_NAME',
      'ALL_CONV',
      'ALL_CONV_VALUE',
    ])
  })

  it('have a report of their own for each set of names, in whichever order', async () => {
    const jobs = testJobs()
    const to = context({ jobs })
    await search.prepare(requestOf({ metrics: ['conversions'], actions: ['Purchase', SIGN_UP] }), to.context)
    await search.prepare(requestOf({ metrics: ['conversions'], actions: [SIGN_UP, 'Purchase'] }), to.context)
    expect(jobs.known.size).toBe(1)
    await search.prepare(requestOf({ metrics: ['conversions'], actions: ['Purchase'] }), to.context)
    expect(jobs.known.size).toBe(2)
  })

  it('are refused beside anything else before anything is sent', async () => {
    const to = context()
    const beside = fetchRows({ metrics: ['cost', 'conversions'], actions: ['Purchase'] }, to)
    await expect(beside).rejects.toThrow('combination_not_allowed: cost by actions')
    expect(to.sent('add')).toEqual([])
  })
})

describe('the conversions of an account of LY', () => {
  it.each([
    ['search', aurora],
    ['display', display],
  ] as const)('in %s ads are those of the last 90 days, most first', async (_, account) => {
    const to = context()
    const listed = await search.listActions(account, to.context)
    expect([to.sent('add').length, to.sent('remove').length]).toEqual([1, 1])
    expect(listed.length).toBe(3)
    for (const { name, conversions, value } of listed) {
      const [row] = await byHand(account, name, '20260824', '20261121')
      expect([name, conversions, value]).toEqual([name, ...(row?.values ?? [])])
    }
    const counts = listed.map(({ conversions }) => conversions)
    expect(counts).toEqual(counts.toSorted((one, other) => other - one))
  })

  it('are waited for, and come from the report that was begun', async () => {
    await sandbox.setFaults([{ platform: 'ly_search', action: 'job_slow', looks: 2 }])
    const jobs = testJobs()
    const to = context({ jobs })
    await expect(search.listActions(aurora, to.context)).rejects.toThrow(ReportPending)
    expect(jobs.known.size).toBe(1)
    expect((await search.listActions(aurora, to.context)).length).toBe(3)
    expect([to.sent('add').length, to.sent('remove').length, jobs.known.size]).toEqual([1, 1, 0])
  })
})

describe('Yahoo DSP', () => {
  const dsp = sourceOf(yahooDsp, { client_id: 'sandbox-dsp', client_secret: 'sandbox-dsp-secret' })

  it('counts nothing by name, and says so before anything is sent', async () => {
    const to = context()
    const metrics = ['conversions', 'conversion_value']
    const request = requestOf({ account: advertiser, metrics, actions: ['Purchase'] })
    await expect(rowsOf(fetchPages(dsp, request, to.context))).rejects.toThrow('combination_not_allowed')
    expect(to.sent('extreport/')).toEqual([])
    expect(await dsp.listActions(advertiser, to.context)).toEqual([])
  })
})

/** What LY says of one name: an element of a report, written by hand. */
async function byHand(
  { provider, external_id, via }: AccountRef,
  name: string,
  startDate: string,
  endDate: string,
  ...fields: string[]
) {
  const product = provider === 'ly_search' ? 'search/api/v20' : 'display/api/v19'
  const call = async (operation: string, body: object) => {
    const response = await fetch(`${sandbox.base_url}/ly-${product}/ReportDefinitionService/${operation}`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer sandbox-admin',
        'content-type': 'application/json',
        'x-z-base-account-id': via ?? '',
      },
      body: JSON.stringify({ accountId: Number(external_id), ...body }),
    })
    return response.text()
  }
  const operand = {
    reportName: 'by hand',
    reportDateRangeType: 'CUSTOM_DATE',
    dateRange: { startDate, endDate },
    fields: ['CONVERSION_NAME', 'ALL_CONV', 'ALL_CONV_VALUE', ...fields],
    reportSkipReportSummary: 'TRUE',
    reportDecimalPartDisplayType: 'FULL_DISPLAY',
    ...(provider === 'ly_search' && { reportType: 'CAMPAIGN' }),
  }
  const added = await call('add', { operand: [operand] })
  const reportJobId = Number(/"reportJobId":(\d+)/.exec(added)?.[1])
  for (let looks = 0; looks < 3; looks += 1) await call('get', { reportJobIds: [reportJobId] })
  const [, ...rows] = [...csvRows(await call('download', { reportJobId }))]
  return rows
    .filter(([named]) => named === name)
    .map(([, count, value, ...keys]) => ({
      date: '',
      keys,
      labels: keys,
      values: [Number(count), Math.round(Number(value) * 1e6)],
    }))
}
