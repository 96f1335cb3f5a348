import { describe, expect, it } from 'vitest'
import {
  ReportPending,
  type ConnectorContext,
  type QuotaKey,
  type RunNote,
} from '#server/connectors/connector.ts'
import { fetchPages, rowsOf } from '#server/connectors/testing/context.ts'
import { metricFields } from './fields.ts'
import { signed } from './signature.ts'
import {
  error,
  failing,
  fault,
  KEY,
  lineSandbox,
  NOW,
  requestOf,
  source,
  sourceWith,
  taipei,
} from './testing/sandbox.ts'

const { fetchRows, requests, reset, setClock, setFaults, setLimits, submitted, context } = lineSandbox()

describe('the reports of LINE', () => {
  it('are submitted together, polled together and deleted after the last', async () => {
    await fetchRows({ range: { start: '2026-08-01', end: '2026-10-31' }, time: 'month', metrics: ['reach'] })
    const submissions = (await requests()).map(({ method, path }) =>
      path.endsWith('/download') ? 'download' : method === 'GET' ? 'look' : method,
    )
    const thrice = ['POST', 'look', 'download', 'DELETE'].flatMap(each => [each, each, each])
    expect(submissions).toEqual(thrice)
  })

  it('let the run wait when they take long, and are gone on with', async () => {
    await setFaults(fault('report_slow', { looks: 3 }))
    const here = context()
    const failure: unknown = await source.prepare(requestOf(), here).catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(ReportPending)
    expect(failure).toMatchObject({ poll_after_ms: 5000 })
    const later = { ...here, now: () => new Date(Date.parse(NOW) + 12_000) }
    await source.prepare(requestOf(), later)
    expect((await rowsOf(source.fetchReport(requestOf(), later))).length).toBe(31)
    expect(await submitted()).toBe(1)
  })

  it('are given up after an hour, and begun anew by the next attempt', async () => {
    await setFaults(fault('report_slow', { looks: 100 }))
    const here = context()
    await expect(source.prepare(requestOf(), here)).rejects.toThrow(ReportPending)
    const hourLater = later(here, 61 * 60_000)
    await setClock({ now: hourLater.now().toISOString(), speed: 0 })
    await expect(source.prepare(requestOf(), hourLater)).rejects.toThrow('platform_timeout')
    await setFaults()
    await source.prepare(requestOf(), hourLater)
    expect(await submitted()).toBe(2)
  })

  it('are begun again once when they fail', async () => {
    await setFaults(fault('report_failed', { method: 'POST', count: 1 }))
    expect((await fetchRows()).length).toBe(31)
    expect(await submitted()).toBe(2)
    await reset()
    await expect(fetchRows({ account: failing })).rejects.toThrow('platform_unavailable')
    expect(await submitted()).toBe(2)
  })

  it('are begun again when LINE does not know them any more', async () => {
    const here = context()
    await source.prepare(requestOf(), here)
    await reset()
    expect((await rowsOf(fetchPages(source, requestOf(), later(here, 61_000)))).length).toBe(31)
    await source.prepare(requestOf(), here)
    await reset()
    expect((await rowsOf(source.fetchReport(requestOf(), here))).length).toBe(31)
  })

  it('are shared by two blocks with the same request, even when each takes long', async () => {
    await setFaults(fault('report_slow', { looks: 2 }))
    const here = context()
    const block = async () => (await rowsOf(source.fetchReport(requestOf(), here))).length
    const ready = async () => {
      await source.prepare(requestOf(), here).catch(() => {})
      await source.prepare(requestOf(), here)
    }
    await ready()
    expect(await block()).toBe(31)
    await expect(block()).rejects.toThrow(ReportPending)
    await ready()
    expect([await block(), await block(), await submitted()]).toEqual([31, 31, 2])
  })

  it('are looked at again when LINE says that they are there, and yet gives none', async () => {
    const notYet = { ...error('CANNOT_DOWNLOAD_REPORT'), path: 'download' }
    await setFaults({ ...notYet, count: 1 })
    expect((await fetchRows()).length).toBe(31)
    await setFaults(notYet)
    await expect(fetchRows()).rejects.toThrow('platform_unavailable')
  })

  it('are requested by month where more is refused, and add up to the same', async () => {
    const range = { start: '2026-08-15', end: '2026-10-20' }
    for (const time of ['total', 'date', 'week'] as const) {
      await setLimits({ line_one_month: false })
      const whole = await fetchRows({ range, time, dimensions: ['campaign'] })
      await setLimits({ line_one_month: true })
      expect(await fetchRows({ range, time, dimensions: ['campaign'] })).toEqual(whole)
    }
    await expect(fetchRows({ range, time: 'total', metrics: ['reach'] })).rejects.toThrow('too_large')
    expect((await fetchRows({ range, time: 'month', metrics: ['reach'] })).length).toBe(3)
  })

  it('are read in the labels of an earlier release, which lacks metrics, and without a byte order mark', async () => {
    const metrics = [
      'cost',
      'conversions',
      'video_views',
      'video_p95',
      'app_installs_skan',
      'reach',
      'purchases',
    ]
    const expected = { metrics, dimensions: ['campaign' as const] }
    const rows = await fetchRows(expected)
    await setFaults(fault('old_labels'), fault('no_bom'))
    const notes: RunNote[] = []
    const old = await fetchRows(expected, { note: note => void notes.push(note) })
    expect(old).toEqual(rows.map(row => ({ ...row, values: [...row.values.slice(0, -1), Number.NaN] })))
    expect(notes).toEqual([
      { code: 'metrics_missing', detail: { account: taipei.external_id, metrics: 'purchases' } },
    ])
  })

  it.each([
    ['ja', 'CSV'],
    ['zh_TW', 'CSV_EXCEL'],
    ['th', 'CSV_EXCEL'],
  ])('are read just the same when LINE answers in %s and %s', async (locale, fileFormat) => {
    const metrics = Object.entries(metricFields).flatMap(([id, field]) =>
      field.read === 'file' || field.read === 'friends' ? [id] : [],
    )
    const expected = { metrics, dimensions: ['ad' as const, 'campaign' as const] }
    expect(await fetchRows(expected, { fetch: answeringIn({ locale, fileFormat }) })).toEqual(
      await fetchRows(expected),
    )
    const systems = { dimensions: ['device_type' as const] }
    expect(await fetchRows(systems, { fetch: answeringIn({ locale, fileFormat }) })).toEqual(
      await fetchRows(systems),
    )
  })

  it('by system are noted to lag behind, before eight by another day', async () => {
    const lagging = async (now: string, end: string) => {
      await reset(now)
      const notes: RunNote[] = []
      const range = { start: '2026-11-16', end }
      const rows = await fetchRows(
        { range, dimensions: ['device_type'] },
        { now: () => new Date(now), note: note => void notes.push(note) },
      )
      return [rows.at(-1)?.date, notes.map(({ detail }) => detail['last'])]
    }
    expect(await lagging('2026-11-20T23:59:00Z', '2026-11-20')).toEqual(['2026-11-19', ['2026-11-19']])
    expect(await lagging('2026-11-21T00:00:00Z', '2026-11-21')).toEqual(['2026-11-20', ['2026-11-20']])
    expect(await lagging('2026-11-21T00:00:00Z', '2026-11-20')).toEqual(['2026-11-20', []])
  })

  it('keep the rate of a reporting key at each endpoint, by a name that is not the key', async () => {
    const keys = new Map<string, QuotaKey>()
    const acquire = async (key: QuotaKey) => void keys.set(key.endpoint ?? '', key)
    const limiter = { acquire, report: async () => {} }
    await fetchRows({}, { limiter })
    expect([...keys.keys()]).toEqual([
      'POST adaccounts/*/pfreports',
      'GET adaccounts/*/pfreports',
      'GET adaccounts/*/pfreports/*/download',
      'DELETE adaccounts/*/pfreports/*',
    ])
    for (const key of keys.values())
      expect(key).toMatchObject({
        platform: 'line',
        kind: 'credential',
        // A third request within a second would be one too many.
        rate: { most: 2, window_ms: 1250 },
      })
    expect(JSON.stringify([...keys])).not.toContain('sandbox')
    keys.clear()
    await sourceWith({ requests_per_second: '10' }).prepare(requestOf(), context({ limiter }))
    for (const { rate } of keys.values()) expect(rate).toEqual({ most: 10, window_ms: 1250 })
    expect(() => sourceWith({ requests_per_second: 'many' })).toThrow('requests_per_second')
  })

  it('are refused in an object or without one', async () => {
    await setLimits({ line_bare_errors: true })
    await setFaults(error('REQUEST_INPUT_START_DATE_TOO_PAST'))
    await expect(fetchRows()).rejects.toThrow('history_limit: REQUEST_INPUT_START_DATE_TOO_PAST')
  })
})

/** Requests another kind of file than the connector does, signed as well. */
function answeringIn(expected: object): typeof fetch {
  return (input, init) => {
    if (init?.method !== 'POST') return fetch(input, init)
    const body = JSON.stringify({ ...JSON.parse(String(init.body)), ...expected })
    const key = { access_key: KEY, secret_key: KEY }
    const path = new URL(String(input)).pathname
    const headers = { ...signed(key, { path, body, now: new Date(NOW) }), 'content-type': 'application/json' }
    return fetch(input, { ...init, headers, body })
  }
}

const later = (from: ConnectorContext, ms: number): ConnectorContext => ({
  ...from,
  now: () => new Date(Date.parse(NOW) + ms),
})
