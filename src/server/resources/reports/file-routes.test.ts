import { describe, expect, it } from 'vitest'
import { ImportOutcome, Report } from '#shared/api/reports.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const PATH = '/api/gs-template-setting/'
const yaml = { headers: { 'content-type': 'application/yaml' } }
const reportIn = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return Report.parse(response.body)
}
const outcomeIn = (response: ApiResponse) => {
  expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
  return ImportOutcome.parse(response.body).results
}
const importedIn = (response: ApiResponse) => {
  const [only] = outcomeIn(response)
  if (!only?.report) throw new Error(JSON.stringify(response.body))
  return only.report
}

const owner = await api.signedIn('staff')
const advertiser = await api.advertiser('Acme', [owner.user.id])
const account = await api.account({ advertiser, name: 'Acme "Taiwan": #1\n- evil' })
const definition = {
  name: 'Daily: "quoted" # not a remark',
  start_cell: 'C4',
  arrangement: 'stacked',
  fill_zero: true,
  format_table: false,
  dimensions: ['date', 'campaign'],
  date_range: { start: '2026-11-01', end: '2026-11-30', dynamic_range: 0 },
  update_frequency: 3,
  update_day_of_week: 2,
  channels: [
    {
      channel: 'fb',
      label: 'Meta: all',
      accounts: [account],
      metrics: ['impressions', 'ctr'],
      filters: [{ field: 'campaign_name', rule: 'NOT_CONTAINS', values: ["it's", '=1+1', '{a: b}'] }],
      on_error: 'keep_previous',
    },
  ],
}

describe('a report as a file', () => {
  it('is read back as it was', async () => {
    const made = reportIn(await owner.post(PATH, definition))
    const file = await owner.get(`${PATH}${made.id}/export/`)
    expect(file.headers.get('content-type')).toContain('application/yaml')
    expect(file.headers.get('content-disposition')).toContain('attachment')
    const again = importedIn(await owner.post(`${PATH}import/`, file.body, yaml))
    expect(again.id).not.toBe(made.id)
    expect(again).toMatchObject(definition)
    expect((await owner.get(`${PATH}${again.id}/export/`)).body).toBe(file.body)
  })

  it('keeps what its numbers mean', async () => {
    const set = async (path: string, body: object) => {
      const { status, body: made } = await owner.post(`/api/insight-setting/${path}/`, body)
      expect(status).toBe(201)
      return Number(Object(made).id)
    }
    const names = { advertiser, name: 'Own', name_zh: '自訂' }
    const metric = await set('metrics', { ...names, formula: 'cost / clicks' })
    const entries = [{ channel: 'fb', action: 'lead' }]
    const conversion = await set('conversions', { ...names, entries })
    const meant = {
      arrangement: 'joined',
      currency: 'TWD',
      comparison: { to: 'last_year', align: 'weekday', show: ['percent', 'value'] },
      note: true,
      blends: [{ name: 'All: cost', formula: 'all.cost * 2', unit: 'money', decimals: 0 }],
      channels: [
        {
          ...definition.channels[0],
          metrics: ['cost', 'client_cost', 'conversions', `calc:${metric}`],
          conversion,
        },
      ],
    }
    const made = reportIn(await owner.post(PATH, { ...definition, ...meant }))
    const file = await owner.get(`${PATH}${made.id}/export/`)
    expect(importedIn(await owner.post(`${PATH}import/`, file.body, yaml))).toMatchObject(meant)
  })

  it('may have gaps, as any report may', async () => {
    const made = importedIn(await owner.post(`${PATH}import/`, 'name: Only a name', yaml))
    expect(made).toMatchObject({ name: 'Only a name', folder: null, channels: [] })
    expect(made.gaps).toContain('channels_not_set')
  })

  it('reveals nothing of accounts that the reader may not use', async () => {
    const made = reportIn(await owner.post(PATH, definition))
    const reader = await api.signedIn('staff')
    await owner.post(`${PATH}${made.id}/share/`, { user: reader.user.id, access: 'viewer' })
    const exported = await reader.get(`${PATH}${made.id}/export/`)
    expect(exported.status).toBe(200)
    expect(exported.body).not.toContain('Acme')
    expect(exported.body).toContain('accounts: []')
  })

  it('is refused with the positions of all problems, and nothing is created', async () => {
    const refused = async (text: string) => {
      const response = await owner.post(`${PATH}import/`, text, yaml)
      expectRefusal(response, 400, 'invalid', { file: ['field_invalid'] })
      return JSON.stringify((response.body as { problems: unknown[] }).problems)
    }
    expect(await refused('name: [a')).toMatch(/Flow sequence/)
    expect(await refused('dimensions: [galaxy]')).toContain('dimensions.0')
    expect(await refused('surprise: 1')).toContain('surprise')
    expect(await refused('name: "a\\0b"')).toContain('characters')
    expect(await refused('channels: [{ channel: fb, accounts: [Nobody], metrics: [cost] }]')).toContain(
      'there is no such account',
    )
    expect(await refused('a: &x [1]\nb: [*x,*x,*x,*x,*x,*x,*x,*x,*x,*x,*x,*x]')).toBeTruthy()
  })

  it('is refused by its size and its depth before it is parsed', async () => {
    for (const path of ['import/', 'import/check/']) {
      const large = `name: ${'x'.repeat(256 * 1024)}`
      expectRefusal(await owner.post(PATH + path, large, yaml), 413, 'payload_too_large')
      // The same as a text in JSON, which may be longer.
      expectRefusal(await owner.post(PATH + path, large), 413, 'payload_too_large')
      const nested = await owner.post(PATH + path, '['.repeat(256 * 1024), yaml)
      expect(JSON.stringify(nested.body)).toContain('nested more than 20 levels deep')
    }
  })

  it('finds no account of another client', async () => {
    const outsider = await api.signedIn('staff')
    const text = 'channels: [{ channel: fb, accounts: ["Acme Taiwan"], metrics: [cost] }]'
    const response = await outsider.post(`${PATH}import/`, text, yaml)
    expectRefusal(response, 400, 'invalid', { file: ['field_invalid'] })
  })
})

describe('a file of several reports', () => {
  const text = (channels: string) => `name: First
---
name: Second
dimensions: [galaxy]
---
name: Third
channels: ${channels}`

  it('has the requested ones, in their order, and is read back as a whole', async () => {
    const made = [
      reportIn(await owner.post(PATH, { name: 'A' })),
      reportIn(await owner.post(PATH, { ...definition, name: 'B' })),
    ]
    const [a, b] = made.map(({ id }) => id)
    const file = await owner.get(`${PATH}export/?ids=${b},${a},${b}`)
    expect(file.headers.get('content-disposition')).toContain('reports.yaml')
    const { id: folder } = await owner.folder()
    const again = outcomeIn(await owner.post(`${PATH}import/?folder=${folder}`, file.body, yaml))
    expect(again.map(({ report }) => [report?.name, report?.folder])).toEqual([
      ['B', folder],
      ['A', folder],
    ])
    const outsider = await api.signedIn('staff')
    expectRefusal(await outsider.get(`${PATH}export/?ids=${a}`), 404, 'not_found')
    expectRefusal(await owner.get(`${PATH}export/?ids=1,x`), 400, 'invalid', { ids: ['field_invalid'] })
  })

  it('creates what can be created and has a reason for the others', async () => {
    const results = outcomeIn(
      await owner.post(
        `${PATH}import/`,
        text('[{ channel: fb, accounts: [Nobody], metrics: [cost] }]'),
        yaml,
      ),
    )
    expect(results).toMatchObject([
      { name: 'First', report: { name: 'First' }, problems: [] },
      {
        name: 'Second',
        report: null,
        problems: [{ path: 'dimensions.0', code: 'field_invalid' }],
      },
      { name: 'Third', report: null, problems: [{ path: 'channels.0.accounts', code: 'account_unknown' }] },
    ])
  })

  it('creates a report without the accounts that are not available, on request', async () => {
    const channels =
      '[{ channel: fb, accounts: [Nobody, "Acme \\"Taiwan\\": #1\\n- evil"], metrics: [cost] }]'
    const [, , third] = outcomeIn(await owner.post(`${PATH}import/?leave_out=true`, text(channels), yaml))
    expect(third).toMatchObject({
      report: { channels: [{ accounts: [account] }] },
      left_out: [{ channel: 'fb', account: 'Nobody', code: 'account_unknown' }],
    })
  })

  it('can be tried without creating anything', async () => {
    const count = async () => (await owner.get(`${PATH}?limit=1`)).body
    const before = await count()
    const results = outcomeIn(await owner.post(`${PATH}import/check/?leave_out=true`, text('[]'), yaml))
    expect(results.map(({ report }) => report?.name ?? null)).toEqual(['First', null, 'Third'])
    expect(outcomeIn(await owner.post(`${PATH}import/check/`, 'name: [a', yaml))).toMatchObject([
      { report: null, problems: [{ path: '', code: 'file_unreadable' }] },
    ])
    expect(await count()).toEqual(before)
  })

  it('goes into no folder of another person', async () => {
    const outsider = await api.signedIn('staff')
    const { id: folder } = await outsider.folder()
    for (const path of ['import/', 'import/check/'])
      expectRefusal(await owner.post(`${PATH}${path}?folder=${folder}`, 'name: x', yaml), 400, 'invalid', {
        folder: ['field_not_available'],
      })
  })
})
