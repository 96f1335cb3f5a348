import { inflateRawSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Reply, rowsOf, startClient, sumOf } from '#sandbox/testing/yahoo.ts'
import { resetAfterEach } from '#sandbox/testing/reset.ts'

const NOW = Date.parse('2026-11-20T04:00:00Z')
const client = resetAfterEach(await startClient())

const BASIC = {
  reportType: 'CAMPAIGN',
  fields: ['DAY', 'CAMPAIGN_ID', 'CAMPAIGN_NAME', 'IMPS', 'CLICKS', 'COST'],
}
const AD = { fields: ['DAY', 'AD_ID', 'AD_NAME', 'IMPS', 'CLICKS', 'COST'] }
const OPTIONS = {
  reportName: 'test',
  reportType: 'CAMPAIGN',
  reportDateRangeType: 'CUSTOM_DATE',
  dateRange: { startDate: '20261101', endDate: '20261107' },
  fields: ['DAY', 'COST'],
}
const accountId = 1_001_926
const add = (...operand: object[]) => client.search('ReportDefinitionService/add', { accountId, operand })
const jobOf = ({ body }: Reply) => body.rval.values[0].reportDefinition
const codesOf = ({ body }: Reply) => body.rval.values[0].errors?.map(({ code }: { code: string }) => code)
const poll = (id: number) => client.search('ReportDefinitionService/get', { accountId, reportJobIds: [id] })

describe('a job', () => {
  test('waits, runs, completes, is downloaded and removed', async () => {
    const added = jobOf(await add({ ...OPTIONS, reportLanguage: 'EN' }))
    expect(added).toMatchObject({
      accountId,
      reportJobStatus: 'WAIT',
      reportJobErrorDetail: null,
      requestTime: '2026/11/20 13:00:00',
      completeTime: null,
      reportDownloadFormat: 'CSV',
      reportDownloadEncode: 'UTF8',
      reportDecimalPartDisplayType: 'SIMPLE_DISPLAY',
      sortFields: [],
    })
    const id = added.reportJobId
    const early = await client.search('ReportDefinitionService/download', { accountId, reportJobId: id })
    expect([early.status, early.body.errors[0].code]).toEqual([200, 'S0001'])
    const statuses: string[] = []
    for (let count = 0; count < 3; count++) statuses.push(jobOf(await poll(id)).reportJobStatus)
    expect(statuses).toEqual(['WAIT', 'IN_PROGRESS', 'COMPLETED'])
    const file = await client.search('ReportDefinitionService/download', { accountId, reportJobId: id })
    expect(file.headers.get('content-type')).toBe('application/octet-stream')
    expect(file.body).toMatch(/^Day,Cost\n2026\/11\/01,\d+\n/)
    const remove = () =>
      client.search('ReportDefinitionService/remove', {
        accountId,
        operand: [{ accountId, reportJobId: id }],
      })
    expect((await remove()).body.rval.values[0].operationSucceeded).toBe(true)
    expect(codesOf(await remove())).toEqual(['I0001'])
  })

  test('of display writes times without separators, and may be canceled', async () => {
    await client.control('PUT', 'faults', [{ platform: 'ly_display', action: 'job_canceled' }])
    const account = 1_002_928
    const { reportType: _, ...operand } = OPTIONS
    const added = jobOf(
      await client.display('ReportDefinitionService/add', { accountId: account, operand: [operand] }),
    )
    expect(added.requestTime).toBe('20261120130000')
    const selector = { accountId: account, reportJobIds: [added.reportJobId] }
    for (let count = 0; count < 2; count++) await client.display('ReportDefinitionService/get', selector)
    const done = jobOf(await client.display('ReportDefinitionService/get', selector))
    expect(done.reportJobStatus).toBe('CANCELED')
  })

  test('fails where jobs fail, waits where they are slow, and vanishes after seven days', async () => {
    await client.control('PUT', 'faults', [{ platform: 'ly_search', action: 'job_failed', count: 1 }])
    const failing = jobOf(await add(OPTIONS)).reportJobId
    await poll(failing)
    await poll(failing)
    expect(jobOf(await poll(failing))).toMatchObject({
      reportJobStatus: 'FAILED',
      reportJobErrorDetail: expect.any(String),
    })
    await client.control('PUT', 'faults', [{ platform: 'ly_search', action: 'job_slow', looks: 5 }])
    const slow = jobOf(await add(OPTIONS)).reportJobId
    for (let count = 0; count < 4; count++) await poll(slow)
    expect(jobOf(await poll(slow)).reportJobStatus).toBe('WAIT')
    client.sandbox.clock.set({ now: NOW + 7 * 86_400_000 })
    expect((await poll(slow)).body.rval).toEqual({ totalNumEntries: 0, values: [] })
    const gone = await client.search('ReportDefinitionService/download', { accountId, reportJobId: slow })
    expect(gone.body.errors[0].code).toBe('I0001')
  })

  test('is refused beyond sixty unfinished ones, and beyond thirty in a request', async () => {
    const thirty = Array.from({ length: 30 }, () => OPTIONS)
    expect((await add(...thirty, OPTIONS)).body.errors[0].code).toBe('L0002')
    await add(...thirty)
    await add(...thirty)
    expect(codesOf(await add(OPTIONS))).toEqual(['LT001'])
  })

  test('returns JSON instead of a file when it breaks', async () => {
    await client.control('PUT', 'faults', [{ platform: 'ly_search', action: 'download_error' }])
    const { status, body } = await client.report('search', BASIC)
    expect([status, body.errors[0].code]).toEqual([200, '0002'])
  })
})

describe('a report by conversion', () => {
  test.each(['search', 'display'] as const)('of %s has each name once, adding up to all', async product => {
    const type = product === 'search' ? { reportType: 'ACCOUNT' } : {}
    const numbers = ['CONVERSIONS', 'ALL_CONV', 'ALL_CONV_VALUE', 'CROSS_DEVICE_CONVERSIONS']
    const sums = async (...names: string[]) => {
      const { body } = await client.report(product, { ...type, fields: [...numbers, ...names] })
      const [, ...rows] = rowsOf(body)
      const columns = numbers.map((_, at) => rows.reduce((sum, row) => sum + Number(row[at]), 0))
      return { columns, names: rows.map(row => row.at(-1)) }
    }
    const { columns } = await sums()
    const byName = await sums('CONVERSION_NAME')
    expect(byName.columns).toEqual(columns)
    expect(byName.names.length).toBe(3)
    expect(new Set(byName.names).size).toBe(3)
  })

  test('leaves out the names that have not happened', async () => {
    const fields = ['DAY', 'AD_ID', 'CONVERSION_NAME', 'ALL_CONV', 'ALL_CONV_VALUE']
    const [, ...rows] = rowsOf((await client.report('search', { reportType: 'AD', fields })).body)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(row => Number(row[3]) === 0 && Number(row[4]) === 0)).toEqual([])
  })
})

describe('an element', () => {
  test.each([
    ['an unknown field', { fields: ['DAY', 'SPEND'] }, ['V0001']],
    ['a field twice', { fields: ['DAY', 'DAY'] }, ['D0001']],
    ['no fields', { fields: [] }, ['R0001']],
    ['a field of a finer report', { fields: ['AD_NAME'] }, ['V0001']],
    ['fields that exclude each other', { fields: ['INVALID_CLICKS', 'DEVICE'] }, ['RL001']],
    ['cost by conversion', { fields: ['CONVERSION_NAME', 'COST'] }, ['RL001']],
    ['dates with separators', { dateRange: { startDate: '2026/11/01', endDate: '20261107' } }, ['F0001']],
    ['dates the wrong way round', { dateRange: { startDate: '20261107', endDate: '20261101' } }, ['RL001']],
    ['a start of twelve years ago', { dateRange: { startDate: '20141101', endDate: '20261101' } }, ['V0001']],
    ['a day to come', { dateRange: { startDate: '20261101', endDate: '20261121' } }, ['V0001']],
    ['dates for a named range', { reportDateRangeType: 'YESTERDAY' }, ['240004']],
    ['a language that it does not have', { reportLanguage: 'ZH' }, ['V0001']],
    ['another product’s report type', { reportType: 'REACH' }, ['V0001']],
    [
      'a filter by day',
      { filters: [{ field: 'DAY', filterOperator: 'EQUALS', values: ['20261101'] }] },
      ['240003'],
    ],
    [
      'an operator that does not exist',
      { filters: [{ field: 'CAMPAIGN_NAME', filterOperator: 'STARTS_WITH', values: ['a'] }] },
      ['V0001'],
    ],
    [
      'display’s operator',
      { filters: [{ field: 'CAMPAIGN_NAME', filterOperator: 'NOT_IN', values: ['a'] }] },
      ['V0001'],
    ],
    [
      'seven filters',
      {
        filters: Array.from({ length: 7 }, () => ({
          field: 'CAMPAIGN_NAME',
          filterOperator: 'CONTAINS',
          values: ['a'],
        })),
      },
      ['L0002'],
    ],
    ['sorting by what is not there', { sortFields: [{ field: 'CLICKS', reportSortType: 'ASC' }] }, ['V0001']],
  ])('with %s is refused', async (_, change, codes) => {
    expect(codesOf(await add({ ...OPTIONS, ...change }))).toEqual(codes)
  })

  test('beside a good one is refused alone, in the platform’s words', async () => {
    const { body } = await add(OPTIONS, {
      ...OPTIONS,
      dateRange: { startDate: '2026-11-01', endDate: '20261107' },
    })
    expect(
      body.rval.values.map((value: { operationSucceeded: boolean }) => value.operationSucceeded),
    ).toEqual([true, false])
    expect(body.rval.values[1]).toEqual({
      operationSucceeded: false,
      reportDefinition: null,
      errors: [
        {
          code: 'F0001',
          message: 'Invalid format.',
          details: [{ requestKey: 'dateRange/startDate', requestValue: '2026-11-01' }],
        },
      ],
    })
  })

  test('of no such shape refuses the whole request', async () => {
    expect((await add({ ...OPTIONS, colour: 'red' })).body.errors[0].code).toBe('0001')
    expect((await add({ ...OPTIONS, fields: 'DAY' })).body.errors[0].code).toBe('0001')
    const text = await client.search('ReportDefinitionService/add', {
      accountId: '1001926',
      operand: [OPTIONS],
    })
    expect(text.body.errors[0].code).toBe('0001')
  })
})

describe('the rows', () => {
  test('add up over levels, days and devices', async () => {
    const cost = async (reportType: string, ...more: string[]) =>
      sumOf((await client.report('search', { reportType, fields: [...more, 'COST'] })).body, 'Cost')
    const whole = await cost('ACCOUNT')
    expect(whole).toBeGreaterThan(0)
    expect(await cost('CAMPAIGN', 'DAY', 'CAMPAIGN_ID')).toBe(whole)
    expect(await cost('ADGROUP', 'ADGROUP_ID', 'DEVICE')).toBe(whole)
    expect(await cost('AD', 'AD_ID', 'WEEK')).toBe(whole)
    const keywords = await cost('KEYWORDS', 'KEYWORD_ID')
    expect(keywords).toBeLessThan(whole)
    expect(await cost('KEYWORDS', 'KEYWORD_ID', 'DEVICE', 'DAY')).toBe(keywords)
    expect(await cost('KEYWORDS', 'MONTH')).toBe(keywords)
  })

  test('of one day are the same in any range and order', async () => {
    const report = (startDate: string, endDate: string) =>
      client.report('search', {
        ...BASIC,
        dateRange: { startDate, endDate },
        sortFields: [{ field: 'CAMPAIGN_ID', reportSortType: 'ASC' }],
      })
    const [, ...one] = rowsOf((await report('20261103', '20261103')).body)
    const [, ...many] = rowsOf((await report('20261001', '20261120')).body)
    expect(one.length).toBeGreaterThan(5)
    expect(many.filter(([day]) => day === '2026/11/03')).toEqual(one)
  })

  test('quote names with special characters, line breaks too', async () => {
    const { body } = await client.report('search', {
      reportType: 'AD',
      fields: ['CAMPAIGN_NAME', 'AD_ID', 'AD_NAME', 'IMPS'],
      dateRange: { startDate: '20260901', endDate: '20261107' },
    })
    const rows = rowsOf(body)
    expect(rows.every(row => row.length === 4)).toBe(true)
    expect(rows.some(([, , name]) => name?.includes('\n"2"'))).toBe(true)
  })

  test('of deleted entities are left out when requested', async () => {
    const names = async (reportIncludeDeleted: string) =>
      rowsOf((await client.report('search', { ...BASIC, reportIncludeDeleted })).body).map(row => row[2])
    expect(await names('TRUE')).toContain('Deleted by mistake')
    expect(await names('FALSE')).not.toContain('Deleted by mistake')
  })

  test('are filtered by text without case, exactly, and by number', async () => {
    const names = async (field: string, filterOperator: string, ...values: string[]) => {
      const filters = [{ field, filterOperator, values }]
      const { body } = await client.report('search', {
        reportType: 'CAMPAIGN',
        fields: ['CAMPAIGN_NAME', 'IMPS'],
        filters,
      })
      return rowsOf(body)
        .slice(1)
        .map(([name]) => name)
    }
    expect(await names('CAMPAIGN_NAME', 'CONTAINS', 'LIPSTICK')).toEqual(['Lipstick launch'])
    expect(await names('CAMPAIGN_NAME', 'EQUALS', 'LIPSTICK LAUNCH')).toEqual([])
    expect((await names('CAMPAIGN_NAME', 'IN', 'Lipstick launch', 'Gift sets')).toSorted()).toEqual([
      'Gift sets',
      'Lipstick launch',
    ])
    expect(await names('IMPS', 'GREATER_THAN', '999999999')).toEqual([])
    expect(await names('DEVICE', 'EQUALS', 'Tablet')).toContain('Gift sets')
  })

  test('of display have decimal costs, and reach in a report of its own', async () => {
    const { body } = await client.report('display', { ...AD, fields: ['DAY', 'AD_ID', 'COST', 'CONV_VALUE'] })
    expect(rowsOf(body)[0]).toEqual(['Daily', 'Ad ID', 'Cost', 'Conversion Value'])
    expect(rowsOf(body).some(row => /\.\d/.test(row[2] ?? ''))).toBe(true)
    const reach = (more: object) =>
      client.report('display', {
        reportTypeCondition: { reportType: 'REACH' },
        fields: ['CAMPAIGN_ID', 'IMPS', 'REACHES'],
        reportDateRangeType: 'LAST_MONTH',
        dateRange: null,
        ...more,
      })
    const byCampaign = (await reach({})).body
    const whole = (await reach({ fields: ['ACCOUNT_ID', 'IMPS', 'REACHES'] })).body
    const column = 'Reach'
    expect(sumOf(byCampaign, 'Impressions')).toBe(sumOf(whole, 'Impressions'))
    expect(sumOf(byCampaign, column)).toBeGreaterThan(sumOf(whole, column))
    expect(codesOf(await reach({ reportDateRangeType: 'TODAY' }))).toEqual(['V0001'])
  })

  test('of an empty account are a header', async () => {
    expect(
      (await client.report('search', { ...BASIC, reportSkipReportSummary: 'FALSE' }, 1_001_985)).body,
    ).toBe('Day,CampaignID,Campaign name,Impressions,Clicks,Cost\n')
  })
})

describe('the file', () => {
  const device = { reportType: 'ACCOUNT', fields: ['ACCOUNT_NAME', 'DEVICE', 'IMPS', 'CLICK_RATE'] }

  test('is Japanese and rounded, with a total, unless requested otherwise', async () => {
    const { body } = await client.report('search', {
      ...device,
      reportLanguage: 'JA',
      reportSkipReportSummary: 'FALSE',
      reportDecimalPartDisplayType: 'SIMPLE_DISPLAY',
    })
    const [header, ...rows] = rowsOf(body)
    expect(header).toEqual(['アカウント名', 'デバイス', 'インプレッション数', 'クリック率'])
    expect(rows.map(row => row[1])).toEqual(['PC', 'スマートフォン', 'タブレット', 'その他', '--'])
    expect(rows.at(-1)?.[0]).toBe('Total')
    expect(rows.every(row => /^\d+(\.\d{1,2})?$/.test(row[3] ?? ''))).toBe(true)
    const total = rows.slice(0, -1).reduce((sum, row) => sum + Number(row[2]), 0)
    expect(Number(rows.at(-1)?.[2])).toBe(total)
    const english = rowsOf((await client.report('search', device)).body)
    expect(english[2]?.[1]).toBe('Smartphone')
    expect(english[1]?.[3]).toMatch(/\.\d{5,}/)
  })

  test('comes in other encodings and formats, packed, or without a header', async () => {
    const of = (more: object) => client.report('search', { ...device, reportLanguage: 'JA', ...more })
    const plain = (await of({})).body
    const sjis = await of({ reportDownloadEncode: 'SJIS' })
    expect(new TextDecoder('shift_jis').decode(sjis.bytes)).toBe(plain)
    const wide = await of({ reportDownloadEncode: 'UTF16LE' })
    expect(wide.bytes.toString('utf16le')).toBe(plain)
    expect((await of({ reportDownloadFormat: 'TSV' })).body).toBe(plain.replaceAll(',', '\t'))
    expect((await of({ reportDownloadFormat: 'XML' })).body).toContain('<row accountName="')
    expect((await of({ reportSkipColumnHeader: 'TRUE' })).body).toBe(plain.slice(plain.indexOf('\n') + 1))
    const { bytes } = await of({ reportCompressType: 'ZIP' })
    const from = 30 + bytes.readUInt16LE(26)
    expect(inflateRawSync(bytes.subarray(from, from + bytes.readUInt32LE(18))).toString()).toBe(plain)
    await client.control('PUT', 'faults', [{ platform: 'ly_search', action: 'bom' }])
    expect((await of({})).body).toBe(`\uFEFF${plain}`)
  })
})

describe('the catalogue of fields', () => {
  test('lists types, names and conflicts, by report type', async () => {
    const { body } = await client.search('ReportDefinitionService/getReportFields', {
      reportType: 'CAMPAIGN',
    })
    const field = (name: string) =>
      body.rval.fields.find((each: { fieldName: string }) => each.fieldName === name)
    expect(field('COST')).toEqual({
      fieldName: 'COST',
      displayFieldNameEn: 'Cost',
      displayFieldNameJa: 'コスト',
      xmlAttributeName: 'cost',
      fieldType: 'LONG',
      selectable: true,
      filterable: true,
      impossibleCombinationFields: ['CONVERSION_NAME', 'OBJECT_OF_CONVERSION_TRACKING'],
    })
    expect(field('DEVICE').impossibleCombinationFields).toContain('INVALID_CLICKS')
    expect(field('KEYWORD')).toBeUndefined()
    const display = await client.display('ReportDefinitionService/getReportFields', { type: 'AD' })
    expect(
      display.body.rval.fields.find((each: { fieldName: string }) => each.fieldName === 'COST').fieldType,
    ).toBe('DOUBLE')
    const wrong = await client.display('ReportDefinitionService/getReportFields', { reportType: 'AD' })
    expect(wrong.body.errors[0].code).toBe('0001')
  })
})
