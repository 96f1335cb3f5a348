import { describe, expect, it } from 'vitest'
import { textColumn } from '#server/connectors/text-column.ts'
import { chunksOf } from './chunks.ts'
import { TooManyCells, startTable } from './shape.ts'
import { cellsOfTable, pageOf, serial, tableOf, testAccount, testPlan } from './testing/table.ts'

const MILLION = 1_000_000

describe('the worked example', () => {
  // measures: Cost, Clicks, Impressions
  const fb = [
    { date: '2026-11-01', metrics: [100.5 * MILLION, 10, 1000] },
    { date: '2026-11-03', metrics: [50.25 * MILLION, 0, 0] },
  ]
  const ga4 = [
    { date: '2026-11-01', metrics: [70] },
    { date: '2026-11-02', metrics: [30] },
  ]
  const [first, second, third] = ['2026-11-01', '2026-11-02', '2026-11-03'].map(serial)
  const cells = (arrangement: 'joined' | 'stacked', fill_zero: boolean) => {
    const blocks = [{ metrics: ['Cost', 'CTR'] }, { label: 'GA4', metrics: ['Sessions'] }]
    return cellsOfTable(tableOf(testPlan({ arrangement, fill_zero, blocks }), [fb, ga4]))
  }

  it('is joined: a row for each day that any block has', () => {
    expect(cells('joined', false)).toEqual([
      ['Date', 'Meta ads Cost', 'Meta ads CTR', 'GA4 Sessions'],
      [first, 100.5, 0.01, 70],
      [second, '', '', 30],
      [third, 50.25, '', ''],
    ])
  })

  it('is joined and filled: the empty cells are 0', () => {
    expect(cells('joined', true)).toEqual([
      ['Date', 'Meta ads Cost', 'Meta ads CTR', 'GA4 Sessions'],
      [first, 100.5, 0.01, 70],
      [second, 0, 0, 30],
      [third, 50.25, 0, 0],
    ])
  })

  it('is stacked: a row for each block and day', () => {
    expect(cells('stacked', false)).toEqual([
      ['Channel', 'Date', 'Cost', 'CTR', 'Sessions'],
      ['Meta ads', first, 100.5, 0.01, ''],
      ['Meta ads', third, 50.25, '', ''],
      ['GA4', first, '', '', 70],
      ['GA4', second, '', '', 30],
    ])
  })

  it('is stacked and filled: every block has every day', () => {
    expect(cells('stacked', true)).toEqual([
      ['Channel', 'Date', 'Cost', 'CTR', 'Sessions'],
      ['Meta ads', first, 100.5, 0.01, 0],
      ['Meta ads', second, 0, 0, 0],
      ['Meta ads', third, 50.25, 0, 0],
      ['GA4', first, 0, 0, 70],
      ['GA4', second, 0, 0, 30],
      ['GA4', third, 0, 0, 0],
    ])
  })
})

describe('time', () => {
  it('fills months without data, up to the end of the range', () => {
    const plan = testPlan({
      dimensions: ['month'],
      fill_zero: true,
      range: { start: '2026-08-15', end: '2026-11-03' },
      blocks: [{ metrics: ['Clicks'] }],
    })
    expect(plan.time).toBe('month')
    const rows = [
      { date: '2026-08-15', metrics: [5] },
      { date: '2026-10-01', metrics: [7] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows]))).toEqual([
      ['Month', 'Clicks'],
      [serial('2026-08-01'), 5],
      [serial('2026-09-01'), 0],
      [serial('2026-10-01'), 7],
      [serial('2026-11-01'), 0],
    ])
  })

  it('shows weeks that the range cuts by their Monday', () => {
    // 1 November 2026 is a Sunday.
    const plan = testPlan({
      dimensions: ['week'],
      range: { start: '2026-11-01', end: '2026-11-10' },
      blocks: [{}],
    })
    const rows = ['2026-11-09', '2026-11-01', '2026-11-02'].map((date, at) => ({ date, metrics: [at] }))
    expect(cellsOfTable(tableOf(plan, [rows])).slice(1)).toEqual([
      [serial('2026-10-26'), 1],
      [serial('2026-11-02'), 2],
      [serial('2026-11-09'), 0],
    ])
  })

  it('cuts weeks at the ends of months when it shows both', () => {
    const plan = testPlan({
      dimensions: ['week', 'month'],
      range: { start: '2026-09-28', end: '2026-10-04' },
      blocks: [{}],
    })
    expect(plan.time).toBe('month_week')
    const rows = [
      { date: '2026-10-01', metrics: [2] },
      { date: '2026-09-28', metrics: [1] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows])).slice(1)).toEqual([
      [serial('2026-09-28'), serial('2026-09-01'), 1],
      [serial('2026-09-28'), serial('2026-10-01'), 2],
    ])
  })

  it('requests by day when it shows days, and derives month and week from them', () => {
    const plan = testPlan({ dimensions: ['month', 'week', 'date'], blocks: [{}] })
    expect(plan.time).toBe('date')
    expect(cellsOfTable(tableOf(plan, [[{ date: '2026-11-01', metrics: [1] }]]))[1]).toEqual([
      serial('2026-11-01'),
      serial('2026-10-26'),
      serial('2026-11-01'),
      1,
    ])
  })

  it('refuses a day that was not requested', () => {
    const plan = testPlan({ blocks: [{}] })
    expect(() => tableOf(plan, [[{ date: '2026-11-04', metrics: [1] }]])).toThrow(/platform_error/)
  })

  it('has one row, or none, without any dimension', () => {
    const plan = testPlan({ dimensions: [], blocks: [{}] })
    const rows = [1, 2, 3].map(clicks => ({ date: '2026-11-01', metrics: [clicks] }))
    expect(cellsOfTable(tableOf(plan, [rows]))).toEqual([['Clicks'], [6]])
    expect(cellsOfTable(tableOf(plan, [[]]))).toEqual([['Clicks']])
  })
})

describe('entities', () => {
  const day = '2026-11-01'

  it('keeps two campaigns of one name apart, ordered by id', () => {
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{}] })
    const rows = [
      { date: day, dimensions: ['22=Twin'], metrics: [2] },
      { date: day, dimensions: ['11=Twin'], metrics: [1] },
      { date: day, dimensions: ['33=Ash'], metrics: [3] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows])).slice(1)).toEqual([
      ['Ash', 3],
      ['Twin', 1],
      ['Twin', 2],
    ])
  })

  it('prints the latest name of a renamed one, and filters by it', () => {
    const rows = [
      { date: '2026-11-03', dimensions: ['1=New'], metrics: [1] },
      { date: '2026-11-01', dimensions: ['1=Old'], metrics: [2] },
    ]
    const cells = (value: string) => {
      const filters = [{ field: 'campaign_name' as const, rule: 'EQUAL' as const, values: [value] }]
      return cellsOfTable(tableOf(testPlan({ dimensions: ['campaign'], blocks: [{ filters }] }), [rows]))
    }
    expect(cells('NEW')).toEqual([
      ['Campaign', 'Clicks'],
      ['New', 3],
    ])
    expect(cells('Old')).toEqual([['Campaign', 'Clicks']])
  })

  it('keeps equal ids of two accounts apart, and equal devices together', () => {
    const accounts = [testAccount(1), testAccount(2)]
    const plan = (dimension: 'campaign' | 'device_type') =>
      testPlan({ dimensions: [dimension], accounts, blocks: [{ accounts: [1, 2] }] })
    const responses = [1, 2].map(clicks => [{ date: day, dimensions: ['x'], metrics: [clicks] }])
    expect(cellsOfTable(tableOf(plan('campaign'), responses)).slice(1)).toEqual([
      ['x', 1],
      ['x', 2],
    ])
    expect(cellsOfTable(tableOf(plan('device_type'), responses)).slice(1)).toEqual([['x', 3]])
  })

  it('sorts text by code point, not by code unit', () => {
    const names = ['😀', '\ufffd', 'z', 'Z', 'é', '']
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{}] })
    const rows = names.map((name, at) => ({ date: day, dimensions: [`${at}=${name}`], metrics: [1] }))
    expect(cellsOfTable(tableOf(plan, [rows])).map(([name]) => name)).toEqual([
      'Campaign',
      '',
      'Z',
      'z',
      'é',
      '\ufffd',
      '😀',
    ])
  })

  it('keeps names with special characters as they are', () => {
    const names = ['=1+1', '"', '\\', 'a\nb\u0001\u007f', '廣告%_[]', '👩‍👩‍👧', "'x"]
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{}] })
    const rows = names.map((name, at) => ({ date: day, dimensions: [`${at}=`], metrics: [1], name }))
    const page = pageOf(rows)
    for (const dimension of page.dimensions) dimension.labels = textColumn(names)
    const collector = startTable(plan)
    collector.add(0, page)
    const printed = cellsOfTable(collector.finish())
      .slice(1)
      .map(([name]) => name)
    expect(printed.toSorted()).toEqual(names.toSorted())
  })

  it('sums over dimensions that only a filter uses', () => {
    const filters = [{ field: 'ad_name' as const, rule: 'CONTAINS' as const, values: ['keep'] }]
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{ filters, metrics: ['Clicks', 'CTR'] }] })
    expect(plan.requests[0]?.request.dimensions).toEqual(['campaign', 'ad'])
    const rows = [
      { date: day, dimensions: ['1=A', '10=Keep me'], metrics: [1, 10] },
      { date: day, dimensions: ['1=A', '11=keep me too'], metrics: [2, 20] },
      { date: day, dimensions: ['1=A', '12=not me'], metrics: [4, 40] },
      { date: day, dimensions: ['2=B', '20=not me'], metrics: [8, 80] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows])).slice(1)).toEqual([['A', 3, 0.1]])
  })

  it('refuses a text that a cell cannot hold, but not when a filter leaves it out', () => {
    const rows = [
      { date: day, dimensions: [`1=${'x'.repeat(50_001)}`], metrics: [1] },
      { date: day, dimensions: [`2=${'y'.repeat(50_000)}`], metrics: [1] },
    ]
    const refused = testPlan({ dimensions: ['campaign'], blocks: [{}] })
    expect(() => tableOf(refused, [rows])).toThrow(
      expect.objectContaining({ code: 'cell_too_long', detail: { column: 'Campaign' } }),
    )
    const filters = [{ field: 'campaign_name' as const, rule: 'STARTS_WITH' as const, values: ['y'] }]
    const filtered = testPlan({ dimensions: ['campaign'], blocks: [{ filters }] })
    expect(tableOf(filtered, [rows]).rows).toBe(1)
  })
})

describe('numbers', () => {
  const day = '2026-11-01'
  const one = (metrics: string[], ...rows: number[][]) => {
    const plan = testPlan({ dimensions: [], blocks: [{ metrics }] })
    return cellsOfTable(tableOf(plan, [rows.map(values => ({ date: day, metrics: values }))]))[1]
  }

  it('leaves a ratio empty without a denominator, and makes it 0 only when filling', () => {
    expect(one(['CTR'], [10, 0])).toEqual([''])
    expect(one(['CTR'], [0, 0])).toEqual([''])
    expect(one(['CTR'], [0, 10])).toEqual([0])
    const plan = testPlan({ dimensions: [], fill_zero: true, blocks: [{ metrics: ['CTR', 'Cost'] }] })
    expect(cellsOfTable(tableOf(plan, [[{ date: day, metrics: [10, 0, Number.NaN] }]]))[1]).toEqual([0, 0])
  })

  it('distinguishes a missing value from zero', () => {
    expect(one(['Clicks', 'Cost'], [Number.NaN, 0], [Number.NaN, 0])).toEqual(['', 0])
    expect(one(['Clicks', 'Cost'], [Number.NaN, 5], [3, -5])).toEqual([3, 0])
    expect(one(['Clicks', 'Conversions'], [-0, -1e-9])).toEqual([0, 0])
  })

  it('prints the ratios of more rows than are written together, each in its own', () => {
    const first = Temporal.PlainDate.from('2022-01-01')
    const rows = Array.from({ length: 1300 }, (_, days) => ({
      date: first.add({ days }).toString(),
      metrics: [0, days, days % 7 === 0 ? 0 : 3 + (days % 11)],
    }))
    const range = { start: '2022-01-01', end: '2025-12-31' }
    const [, ...cells] = cellsOfTable(
      tableOf(testPlan({ range, blocks: [{ metrics: ['Cost', 'CTR'] }] }), [rows]),
    )
    const expected = rows.map(row => {
      const [, clicks = 0, impressions = 0] = row.metrics
      return impressions === 0 ? '' : clicks / impressions
    })
    expect(cells.map(row => row.at(-1))).toEqual(expected)
  })

  it('makes ratios from sums, in currency units', () => {
    // Cost, Clicks, Impressions, Value
    const rows = [
      [1_500_000, 3, 100, 9_000_000],
      [1_000_000, 1, 300, 1_000_000],
    ]
    expect(one(['Cost', 'CPC', 'CPM', 'ROAS'], ...rows)).toEqual([2.5, 0.625, 6.25, 4])
  })

  it('adds money up exactly', () => {
    expect(one(['Cost'], [100_000], [200_000])).toEqual([0.3])
    expect(one(['Cost'], ...Array.from({ length: 1000 }, () => [1]))).toEqual([0.001])
    expect(one(['Cost'], [Number.MAX_SAFE_INTEGER])).toEqual([Number.MAX_SAFE_INTEGER / MILLION])
    expect(one(['Cost'], [-1])).toEqual([-0.000_001])
  })

  it('keeps sums beyond 2^53 to the last digit', () => {
    const plan = testPlan({ dimensions: [], blocks: [{ metrics: ['Clicks', 'Cost'] }] })
    const most = Number.MAX_SAFE_INTEGER
    const rows = [1, 2, 3].map(() => ({ date: day, metrics: [most, most] }))
    const [chunk] = [...chunksOf(tableOf(plan, [rows]))]
    expect(new TextDecoder().decode(chunk?.json)).toBe(
      '[["Clicks","Cost"],[27021597764222973,27021597764.222973]]',
    )
    const back = [...rows, { date: day, metrics: [-most, -most] }, { date: day, metrics: [-most, -most] }]
    expect(cellsOfTable(tableOf(plan, [back]))[1]).toEqual([most, most / MILLION])
  })

  it('adds fractions up in any order', () => {
    expect(one(['Conversions'], [0.1], [0.2])).toEqual([0.3])
    expect(one(['Conversions'], [5], [0.333_333], [0.666_667])).toEqual([6])
    expect(one(['CVR'], [0.5, 4], [1, 4])).toEqual([0.1875])
  })

  it('never adds up what cannot be added', () => {
    const plan = testPlan({ dimensions: ['date'], blocks: [{ metrics: ['Reach', 'Clicks'] }] })
    const rows = [
      { date: '2026-11-01', metrics: [70, 1] },
      { date: '2026-11-02', metrics: [80, 1] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows])).slice(1)).toEqual([
      [serial('2026-11-01'), 70, 1],
      [serial('2026-11-02'), 80, 1],
    ])
    const twice = [
      ...rows,
      { date: '2026-11-02', metrics: [80, 1] },
      { date: '2026-11-01', metrics: [60, 1] },
    ]
    expect(cellsOfTable(tableOf(plan, [twice])).slice(1)).toEqual([
      [serial('2026-11-01'), '', 2],
      [serial('2026-11-02'), 80, 2],
    ])
  })
})

describe('a metric that is a text', () => {
  it('is printed in the language of the headers, and has no zero', () => {
    const blocks = [{ metrics: ['Rank'] }]
    const plan = testPlan({ header_language: 'zh-TW', fill_zero: true, blocks })
    const rows = [
      { date: '2026-11-01', metrics: [1] },
      { date: '2026-11-02', metrics: [0] },
    ]
    expect(cellsOfTable(tableOf(plan, [rows]))).toEqual([
      ['日期', 'Rank（中）'],
      [serial('2026-11-01'), '高'],
      [serial('2026-11-02'), '低'],
      [serial('2026-11-03'), ''],
    ])
  })
})

describe('currencies', () => {
  const format = (...currencies: string[]) => {
    const accounts = currencies.map((currency, at) => testAccount(at + 1, { currency }))
    const ids = accounts.map(({ id }) => id)
    const blocks = [{ accounts: ids, metrics: ['Cost', 'CTR'] }]
    return tableOf(testPlan({ dimensions: ['currency'], accounts, blocks }), []).columns.map(
      column => column.format,
    )
  }

  it('shows money with the decimals of its currency, mixed ones with two', () => {
    const others = [{ kind: 'percent', digits: 2 }]
    expect(format('USD')).toEqual([{ kind: 'text' }, { kind: 'number', digits: 2 }, ...others])
    expect(format('JPY')).toEqual([{ kind: 'text' }, { kind: 'number', digits: 0 }, ...others])
    expect(format('TWD')).toEqual([{ kind: 'text' }, { kind: 'number', digits: 2 }, ...others])
    expect(format('KWD')).toEqual([{ kind: 'text' }, { kind: 'number', digits: 3 }, ...others])
    expect(format('JPY', 'KRW')).toEqual([{ kind: 'text' }, { kind: 'number', digits: 2 }, ...others])
  })

  it('has a row for each currency, and for each account', () => {
    const accounts = [
      testAccount(1, { currency: 'USD', name: 'Shop' }),
      testAccount(2, { currency: 'JPY', name: 'Shop' }),
      testAccount(3, { currency: 'USD', name: 'Atelier' }),
    ]
    const responses = [1, 2, 4].map(cost => [{ date: '2026-11-01', metrics: [cost * MILLION] }])
    const cells = (...dimensions: ('currency' | 'account_name' | 'account_id')[]) => {
      const blocks = [{ accounts: [1, 2, 3], metrics: ['Cost'] }]
      return cellsOfTable(tableOf(testPlan({ dimensions, accounts, blocks }), responses)).slice(1)
    }
    expect(cells('currency')).toEqual([
      ['JPY', 2],
      ['USD', 5],
    ])
    expect(cells('account_name', 'currency', 'account_id')).toEqual([
      ['Atelier', 'USD', '1003', 4],
      ['Shop', 'USD', '1001', 1],
      ['Shop', 'JPY', '1002', 2],
    ])
  })
})

describe('a table that has become too large', () => {
  const rows = ['2026-11-01', '2026-11-02'].map(date => ({ date, metrics: [5] }))
  const table = (most: number) => {
    const plan = testPlan({ blocks: [{ metrics: ['Clicks'] }], fill_zero: true })
    const collector = startTable(plan, most)
    for (const row of rows) {
      try {
        collector.add(0, pageOf([row]))
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyCells)
        collector.allow(100)
      }
    }
    return collector
  }

  it('goes on with all that it has, once it is allowed more', () => {
    const whole = cellsOfTable(table(100).finish())
    expect(cellsOfTable(table(1).finish())).toEqual(whole)
    const finished = table(4)
    expect(() => finished.finish()).toThrow(TooManyCells)
    finished.allow(100)
    expect(cellsOfTable(finished.finish())).toEqual(whole)
  })
})

describe('a block that failed', () => {
  const blocks = [{ metrics: ['Clicks'] }, { metrics: ['Sessions'] }]
  const rows = [{ date: '2026-11-02', metrics: [5] }]
  const dropped = (arrangement: 'joined' | 'stacked') => {
    const collector = startTable(testPlan({ blocks, arrangement, fill_zero: true }))
    collector.add(0, pageOf(rows))
    collector.add(1, pageOf(rows))
    collector.drop(1)
    const table = collector.finish()
    expect(table.blockRows).toEqual([1, 0])
    return cellsOfTable(table)
  }

  it('leaves its cells empty even when the rest is filled with 0', () => {
    expect(dropped('joined')).toEqual([
      ['Date', 'Meta ads Clicks', 'Meta ads 2 Sessions'],
      [serial('2026-11-01'), 0, ''],
      [serial('2026-11-02'), 5, ''],
      [serial('2026-11-03'), 0, ''],
    ])
  })

  it('has no rows in a stacked table', () => {
    expect(dropped('stacked').map(([channel]) => channel)).toEqual([
      'Channel',
      'Meta ads',
      'Meta ads',
      'Meta ads',
    ])
  })
})

describe('sorted rows', () => {
  const campaigns = (
    metrics: string[],
    sort: { by: string; descending?: boolean },
    limit: number | null = null,
  ) =>
    testPlan({
      dimensions: ['campaign'],
      sort: { block: null, descending: false, ...sort },
      limit,
      blocks: [{ metrics }],
    })
  const rows = (...values: (readonly [string, number])[]) =>
    values.map(([name, value]) => ({ date: '2026-11-01', dimensions: [name], metrics: [value] }))

  it('have empty cells last in either direction, and equal ones by the dimensions', () => {
    const facts = rows(['d', 2], ['b', Number.NaN], ['c', 3], ['a', 2], ['e', 0])
    const names = (descending: boolean) =>
      cellsOfTable(tableOf(campaigns(['Clicks'], { by: 'Clicks', descending }), [facts]))
        .slice(1)
        .map(([name]) => name)
    expect(names(false)).toEqual(['e', 'a', 'd', 'c', 'b'])
    expect(names(true)).toEqual(['c', 'a', 'd', 'e', 'b'])
  })

  it('have an unnamed campaign last, and texts that stand for numbers in the order of these', () => {
    const facts = rows(['=', 1], ['x=B', 1], ['y=A', 1])
    const cells = (by: string) =>
      cellsOfTable(tableOf(campaigns(['Clicks'], { by }), [facts]))
        .slice(1)
        .map(([name]) => name)
    expect(cells('campaign')).toEqual(['A', 'B', ''])
    const ranked = campaigns(['Rank'], { by: 'Rank', descending: true })
    expect(cellsOfTable(tableOf(ranked, [rows(['a', 0], ['b', 1])])).slice(1)).toEqual([
      ['b', 'high'],
      ['a', 'low'],
    ])
  })

  it('are cut after the limit, and only those that are written count as cells', () => {
    const many = Array.from({ length: 6_000 }, (_, at) => [`${at}`, (at * 7919) % 6_000] as const)
    const plan = { ...campaigns(['Clicks'], { by: 'Clicks', descending: true }, 3) }
    const table = tableOf(plan, [rows(...many)])
    expect(table).toMatchObject({ rows: 3, rowsBeforeLimit: 6_000 })
    expect(
      cellsOfTable(table)
        .slice(1)
        .map(row => row[1]),
    ).toEqual([5999, 5998, 5997])
    const filled = testPlan({
      dimensions: ['date', 'campaign'],
      fill_zero: true,
      limit: 2,
      range: { start: '2025-01-01', end: '2026-11-03' },
      blocks: [{ metrics: ['Clicks'] }],
    })
    const all = tableOf(filled, [rows(...many)])
    expect(all).toMatchObject({ rows: 2, rowsBeforeLimit: 6_000 * 672 })
  })

  it('may be those of all channels of a stacked table, whose columns they share', () => {
    const plan = testPlan({
      dimensions: ['campaign'],
      arrangement: 'stacked',
      sort: { by: 'Clicks', block: null, descending: true },
      limit: 3,
      blocks: [{ metrics: ['Clicks'] }, { metrics: ['Sessions', 'Clicks'] }],
    })
    const other = [1, 9, 5].map((clicks, at) => ({
      date: '2026-11-01',
      dimensions: [`o${at}`],
      metrics: [7, clicks],
    }))
    expect(cellsOfTable(tableOf(plan, [rows(['a', 6], ['b', 1]), other])).slice(1)).toEqual([
      ['Meta ads 2', 'o1', 9, 7],
      ['Meta ads', 'a', 6, ''],
      ['Meta ads 2', 'o2', 5, 7],
    ])
  })

  it('compare numbers, not units, where only one channel of a stacked table has fractions', () => {
    const plan = testPlan({
      dimensions: ['campaign'],
      arrangement: 'stacked',
      sort: { by: 'Conversions', block: null, descending: false },
      blocks: [{ metrics: ['Conversions'] }, { metrics: ['Conversions'] }],
    })
    const sorted = cellsOfTable(tableOf(plan, [rows(['a', 1], ['b', 3]), rows(['c', 0.5], ['d', 2])]))
    expect(sorted.slice(1).map(row => row[2])).toEqual([0.5, 1, 2, 3])
  })
})

describe('chunks', () => {
  it('begin with the header, follow each other and stay within their size', () => {
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{ metrics: ['Cost', 'CTR'] }] })
    const rows = Array.from({ length: 500 }, (_, at) => ({
      date: '2026-11-01',
      dimensions: [`${at}=${'名'.repeat(at % 30)}`],
      metrics: [at * 10_000, at, 7],
    }))
    const table = tableOf(plan, [rows])
    const chunks = [...chunksOf(table, 1000)]
    expect(chunks.length).toBeGreaterThan(10)
    let next = 0
    for (const { first_row, rows: length, json } of chunks) {
      expect(first_row).toBe(next)
      expect(json.length).toBeLessThanOrEqual(1000)
      expect(JSON.parse(new TextDecoder().decode(json))).toHaveLength(length)
      next += length
    }
    expect(next).toBe(table.rows + 1)
    expect(cellsOfTable(table, 1000)).toEqual(cellsOfTable(table))
  })

  it('hold the rows of several blocks that take turns, and long runs of one', () => {
    const days = Array.from({ length: 3000 }, (_, at) =>
      Temporal.PlainDate.from('2018-01-01').add({ days: at }).toString(),
    )
    const range = { start: '2018-01-01', end: days.at(-1) ?? '' }
    const blocks = [{ metrics: ['Cost', 'Clicks', 'CPC'] }, { label: 'Shop', metrics: ['Cost', 'Clicks'] }]
    const plan = testPlan({
      arrangement: 'stacked',
      sort: { by: 'Clicks', block: null, descending: false },
      blocks,
      range,
    })
    // The first 1,000 days of both take turns, then all others of the one follow those of the other.
    const clicksOf = (block: number, at: number) => (at < 1000 ? at * 2 + block : 10_000 * (block + 1) + at)
    const rows = blocks.map((_, block) =>
      days.map((date, at) => ({ date, metrics: [at * 1_530_000, clicksOf(block, at)] })),
    )
    const expected = rows
      .flatMap((of, block) =>
        of.map(({ date, metrics: [cost = 0, clicks = 0] }) => {
          const rate = block === 0 && clicks > 0 ? cost / (clicks * MILLION) : ''
          return [block === 0 ? 'Meta ads' : 'Shop', serial(date), cost / MILLION, clicks, rate]
        }),
      )
      .toSorted((one, other) => Number(one[3]) - Number(other[3]))
    const [, ...cells] = cellsOfTable(tableOf(plan, rows), 10_000)
    expect(cells).toEqual(expected)
  })

  it('hold a row that is longer than a chunk', () => {
    const plan = testPlan({ dimensions: ['campaign'], blocks: [{}] })
    const rows = [1, 2].map(at => ({
      date: '2026-11-01',
      dimensions: [`${at}=${'x'.repeat(300)}`],
      metrics: [1],
    }))
    expect(cellsOfTable(tableOf(plan, [rows]), 100)).toHaveLength(3)
  })

  it('are refused beyond ten million cells, before they are made', () => {
    const accounts = [testAccount(1)]
    const plan = testPlan({
      dimensions: ['date', 'campaign'],
      fill_zero: true,
      accounts,
      range: { start: '2024-01-01', end: '2026-11-03' },
      blocks: [{ metrics: ['Clicks'] }],
    })
    const rows = Array.from({ length: 4000 }, (_, at) => ({
      date: '2026-11-01',
      dimensions: [`${at}`],
      metrics: [1],
    }))
    expect(() => tableOf(plan, [rows])).toThrow(
      expect.objectContaining({ code: 'cell_limit', detail: { cells: 4000 * 1038 * 3 + 3 } }),
    )
  })
})
