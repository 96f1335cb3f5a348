import { describe, expect, it } from 'vitest'
import type { ReportRequest } from '#server/connectors/connector.ts'
import { rowsOf } from '#server/connectors/testing/context.ts'
import { answerOf, fetchFrom, kind, refusal, request, row, serving, type Body } from './testing/responses.ts'
import { ga4 } from './report.ts'

describe('a response of GA4', () => {
  const good = row(['20261101', 'google'], ['12', '1.5'])

  it.each([
    [null, 'rows[1]'],
    ['row', 'rows[1]'],
    [{}, 'rows[1].dimensionValues[0]'],
    [row(['20261101'], ['12', '1.5']), 'rows[1].dimensionValues'],
    [row(['20261101', null], ['12', '1.5']), 'rows[1].dimensionValues[1]'],
    [row(['20261103', 'x'], ['12', '1.5']), 'rows[1]: 20261103 is not of the range'],
    [row(['2026-11-01', 'x'], ['12', '1.5']), 'rows[1]: 2026-11-01 is not of the range'],
    [row(['20261101', 'x'], ['12']), 'rows[1].metricValues'],
    [row(['20261101', 'x'], [12, '1.5']), 'rows[1].metricValues[0]'],
    [row(['20261101', 'x'], ['', '1.5']), 'rows[1].metricValues[0]'],
    [row(['20261101', 'x'], ['12', '1,500.5']), 'rows[1].metricValues[1]'],
    [row(['20261101', 'x'], ['12', 'NaN']), 'rows[1].metricValues[1]'],
  ])('with the row %j is unreadable, and never 0', async (odd, path) => {
    await expect(fetchFrom(body => answerOf(body, [good, odd]))).rejects.toThrow(
      `platform_error: unreadable answer, ${path}`,
    )
  })

  it.each([{}, [], { kind, rows: {} }, { kind, rows: [good], rowCount: 1 }, '', 'null'])(
    'of the form %j is unreadable, and not no rows',
    async body => {
      await expect(fetchFrom(() => ({ body }))).rejects.toThrow('platform_error')
    },
  )

  it('of rows without their count is unreadable: it is open whether they are all', async () => {
    for (const rowCount of [undefined, 0])
      await expect(fetchFrom(body => answerOf(body, [good], { rowCount }))).rejects.toThrow(
        'platform_error: unreadable answer',
      )
  })

  it('of no rows may lack everything but its kind', async () => {
    expect((await fetchFrom(() => ({ body: { kind, metadata: {} } }))).rows).toEqual([])
    expect((await fetchFrom(() => ({ body: { kind } }))).rows).toEqual([])
  })

  it('is read by its own headers, in whatever order', async () => {
    const { rows } = await fetchFrom(() => ({
      body: {
        kind,
        dimensionHeaders: [{ name: 'sessionSource' }, { name: 'date' }],
        metricHeaders: [{ name: 'purchaseRevenue' }, { name: 'sessions' }],
        rows: [row(['google', '20261102'], ['12345.678901', '9'])],
        rowCount: 1,
        metadata: { samplingMetadatas: 'odd', subjectToThresholding: 'odd' },
        propertyQuota: 'odd',
      },
    }))
    expect(rows).toEqual([
      { date: '2026-11-02', keys: ['google'], labels: ['google'], values: [9, 12_345_678_901] },
    ])
  })

  it.each([
    ['1.2345678E7', 12_345_678_000_000],
    ['-2.5E-3', -2500],
    ['7E2', 700_000_000],
    ['1.23e1', 12_300_000],
    ['0.0', 0],
  ])('may write money as %s', async (text, millionths) => {
    const { rows } = await fetchFrom(body => answerOf(body, [row(['20261101', 'x'], ['1', text])]))
    expect(rows[0]?.values).toEqual([1, millionths])
  })

  it('that is a redirection is not followed', async () => {
    const { io, requests } = await serving(() => ({ status: 302, body: '' }))
    await expect(rowsOf(ga4.fetchReport(request, io))).rejects.toThrow('platform_error')
    expect(requests.length).toBe(1)
  })

  it.each([
    [429, 'quota_exhausted'],
    [502, 'platform_unavailable'],
    [403, 'platform_error'],
    [404, 'platform_error'],
  ])('that is HTTP %i without an error of Google is classified by its status', async (status, code) => {
    await expect(fetchFrom(() => ({ status, body: '<html>' }))).rejects.toThrow(code)
  })
})

describe('pages of GA4', () => {
  const all = ['a', 'b', 'c', 'd', 'e'].map(name => row(['20261101', name], ['1', '2']))
  const pageAt = (body: Body, list: unknown[]) =>
    answerOf(body, list.slice(Number(body.offset), Number(body.offset) + 2), { rowCount: list.length })
  const names = (rows: { keys: string[] }[]) => rows.map(({ keys: [name] }) => name)

  it('are read to the last row, however short they are', async () => {
    const { rows, requests } = await fetchFrom(body => pageAt(body, all))
    expect(names(rows)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(requests.map(({ offset }) => offset)).toEqual(['0', '2', '4'])
  })

  it('are read once more when the report has grown meanwhile, each row once', async () => {
    const grown = [row(['20261101', 'A'], ['1', '2']), ...all]
    const { rows, requests } = await fetchFrom((body, number) => pageAt(body, number === 0 ? all : grown))
    expect(names(rows)).toEqual(['A', 'a', 'b', 'c', 'd', 'e'])
    // The page after the one that had grown was on its way already.
    expect(requests.map(({ offset }) => offset).filter(offset => offset === '0').length).toBe(2)
  })

  it('are read once more when a row comes twice or pages end early', async () => {
    const moved = [all[0], ...all.slice(0, 4)]
    const twice = await fetchFrom((body, number) => pageAt(body, number === 1 ? moved : all))
    expect(names(twice.rows)).toEqual(['a', 'b', 'c', 'd', 'e'])
    const early = await fetchFrom((body, number) =>
      number === 1 ? answerOf(body, [], { rowCount: 5 }) : pageAt(body, all),
    )
    expect(names(early.rows)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('that change on every read are taken as they are the second time', async () => {
    const { rows, requests } = await fetchFrom((body, number) =>
      answerOf(body, number > 8 ? [] : [all[number % 5]], { rowCount: 5 + number }),
    )
    expect(new Set(names(rows)).size).toBe(rows.length)
    expect(requests.length).toBeLessThan(12)
  })

  it('whose count says something else twice are not believed', async () => {
    const counted = (rows: unknown[], rowCount: number) => (body: Body, number: number) =>
      answerOf(body, number % 2 === 0 ? rows : [], { rowCount })
    for (const answering of [
      counted(all, 7),
      counted([], 5),
      counted([...all, all[0]], 5),
      counted(all.slice(1), 5),
    ])
      await expect(fetchFrom(answering)).rejects.toThrow('rows that do not make up their count')
    const once = await fetchFrom((body, number) =>
      answerOf(body, number === 0 ? [...all, all[0]] : all, { rowCount: 5 }),
    )
    expect(names(once.rows)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('whose days are lumped together are requested one by one', async () => {
    const { rows, requests } = await fetchFrom(body =>
      answerOf(
        body,
        body.dimensions.length === 2
          ? [row(['(other)', '(other)'], ['5', '5']), all[0]]
          : [row(['google'], ['3', '4'])],
      ),
    )
    expect(rows.map(({ date, keys }) => [date, ...keys])).toEqual([
      ['2026-11-01', 'google'],
      ['2026-11-02', 'google'],
    ])
    expect(requests.map(({ dateRanges: [range] }) => range?.startDate)).toEqual([
      '2026-11-01',
      '2026-11-01',
      '2026-11-02',
    ])
  })

  it('of a whole range that time out are put together from its months, where they can be summed', async () => {
    const whole: Partial<ReportRequest> = {
      range: { start: '2026-09-15', end: '2026-11-02' },
      time: 'total',
      metrics: ['sessions', 'revenue'],
    }
    const { rows, requests } = await fetchFrom((body, number) => {
      if (number < 3) return refusal(504, 'Deadline')
      const ofItsOwn = row([`only ${number}`], ['1', '0.5'])
      return answerOf(body, [row(['google'], ['2', '1.25']), ofItsOwn])
    }, whole)
    expect(requests.slice(3).map(({ dateRanges: [part] }) => [part?.startDate, part?.endDate])).toEqual([
      ['2026-09-15', '2026-09-30'],
      ['2026-10-01', '2026-10-31'],
      ['2026-11-01', '2026-11-02'],
    ])
    expect(rows.map(({ date, keys, values }) => [date, ...keys, ...values])).toEqual([
      ['2026-09-15', 'google', 6, 3_750_000],
      ...[3, 4, 5].map(number => ['2026-09-15', `only ${number}`, 1, 500_000]),
    ])
    await expect(fetchFrom(() => refusal(504, 'Deadline'), { ...whole, metrics: ['users'] })).rejects.toThrow(
      'platform_timeout',
    )
  })

  it('that time out are requested by the month, once', async () => {
    const range = { start: '2026-08-15', end: '2026-11-02' }
    const long = (body: Body) => body.dateRanges[0]?.startDate === '2026-08-15' && 'endDate' in body
    const { requests } = await fetchFrom(
      (body, number) => (number < 3 || long(body) ? refusal(504, 'Deadline') : answerOf(body, [])),
      { range },
    )
    expect(requests.slice(3).map(({ dateRanges: [part] }) => [part?.startDate, part?.endDate])).toEqual([
      ['2026-08-15', '2026-09-14'],
      ['2026-09-15', '2026-10-15'],
      ['2026-10-16', '2026-11-02'],
    ])
    const { io, requests: again } = await serving(() => refusal(504, 'Deadline'))
    await expect(rowsOf(ga4.fetchReport({ ...request, range }, io))).rejects.toThrow('platform_timeout')
    expect(again.length).toBe(6)
  })
})
