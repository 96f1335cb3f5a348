import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Sheet, SheetSummary } from '#shared/api/sheets.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { testService } from '#server/sheets/testing/service.ts'
import { sheetsRoutes } from './routes.ts'

const service = await testService()
const plain = await testApi({ routes: sheetsRoutes })
const api = await testApi({
  routes: sheetsRoutes,
  effects: {
    settings: {
      ...plain.effects.settings,
      built_in_sheets: { sheets: service.origin, drive: service.origin },
    },
  },
})
const aurora = await api.signedIn('external_user', { email: 'client-a@aurora.demo' })
const borealis = await api.signedIn('external_user', { email: 'client-b@borealis.demo' })

type Client = typeof aurora
const create = async (client: Client, title: string) => {
  const response = await client.post('/api/sheets/', { title })
  expect(response.status).toBe(201)
  return (response.body as SheetSummary).id
}
const read = async (client: Client, id: string) => (await client.get(`/api/sheets/${id}/`)).body as Sheet

/** Writes as the owner would, in the spreadsheet. */
async function type(id: string, range: string, values: unknown[][]) {
  const response = await fetch(
    `${service.origin}/v4/spreadsheets/${id}/values/${encodeURIComponent(range)}?valueInputOption=USER_ENTERED`,
    {
      method: 'PUT',
      headers: {
        authorization: 'Bearer sandbox-user:client-a@aurora.demo',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ values }),
    },
  )
  expect(response.status).toBe(200)
}

const format = (column: number, userEnteredFormat: object, fields: string) => ({
  repeatCell: {
    range: {
      sheetId: 0,
      startRowIndex: 0,
      endRowIndex: 1,
      startColumnIndex: column,
      endColumnIndex: column + 1,
    },
    cell: { userEnteredFormat },
    fields: `userEnteredFormat.${fields}`,
  },
})

describe('built-in spreadsheets', () => {
  it('are made by a person, who then owns them', async () => {
    const id = await create(aurora, 'Autumn numbers')
    expect((await aurora.get('/api/sheets/')).body).toContainEqual(
      expect.objectContaining({ id, title: 'Autumn numbers', role: 'owner', owner: 'client-a@aurora.demo' }),
    )
    expect(await read(aurora, id)).toMatchObject({
      title: 'Autumn numbers',
      url: `http://localhost:3000/spreadsheets/d/${id}/edit`,
      system_user: api.effects.spreadsheets.system_users[0]?.address,
      tabs: [{ gid: 0, rows: 1000, columns: 26, protected_ranges: [] }],
      permissions: [{ email: 'client-a@aurora.demo', role: 'owner' }],
    })
  })

  it('are nothing to people without access', async () => {
    const id = await create(aurora, 'Private')
    expect((await borealis.get('/api/sheets/')).body).toEqual([])
    for (const path of [
      '',
      'values/?gid=0&first_row=0&rows=1&first_column=0&columns=1',
      'export/?format=xlsx',
    ])
      expectRefusal(await borealis.get(`/api/sheets/${id}/${path}`), 404, 'not_found')
    expectRefusal(
      await borealis.post(`/api/sheets/${id}/share/`, { email: 'x@y.example', role: 'writer' }),
      404,
      'not_found',
    )
  })

  it('are shared and unshared', async () => {
    const id = await create(aurora, 'Shared')
    expect(
      (await aurora.post(`/api/sheets/${id}/share/`, { email: 'client-b@borealis.demo', role: 'reader' }))
        .status,
    ).toBe(204)
    expect(await read(borealis, id)).toMatchObject({ role: 'reader', permissions: null })
    const shared = (await read(aurora, id)).permissions?.find(
      permission => permission.email === 'client-b@borealis.demo',
    )
    expect((await aurora.delete(`/api/sheets/${id}/share/${shared?.id}/`)).status).toBe(204)
    expectRefusal(await borealis.get(`/api/sheets/${id}/`), 404, 'not_found')
  })

  it('show a part of their cells', async () => {
    const id = await create(aurora, 'Window')
    await type(id, 'Sheet1!B2', [
      ['Date', 'Cost'],
      ['2026-11-20', 12.5],
    ])
    const window = (query: string) => aurora.get(`/api/sheets/${id}/values/?gid=0&${query}`)
    expect((await window('first_row=0&rows=10&first_column=0&columns=10')).body).toEqual({
      values: [[], ['', 'Date', 'Cost'], ['', '2026-11-20', '12.5']],
      looks: ['', '', '011'],
    })
    expect((await window('first_row=2&rows=1&first_column=1&columns=1')).body).toEqual({
      values: [['2026-11-20']],
      looks: ['1'],
    })
    expect((await window('first_row=5000&rows=10&first_column=0&columns=10')).body).toEqual({
      values: [],
      looks: [],
    })
    for (const title of ['Sheet1', 'Renamed since'])
      expect((await window(`title=${title}&first_row=2&rows=1&first_column=1&columns=2`)).body).toEqual({
        values: [['2026-11-20', '12.5']],
        looks: ['11'],
      })
  })

  it('align cells by what they are, and show what is bold or italic', async () => {
    const id = await create(aurora, 'Looks')
    await type(id, 'Sheet1!A1', [["'123", 123, '2026-11-20', true, '50%', '=A1', '=B1', '=1/0', 'text']])
    await service.owner.batch(
      id,
      format(0, { textFormat: { bold: true } }, 'textFormat.bold'),
      format(1, { textFormat: { bold: true, italic: true } }, 'textFormat'),
      format(8, { horizontalAlignment: 'RIGHT' }, 'horizontalAlignment'),
    )
    const query = 'gid=0&first_row=0&rows=3&first_column=0&columns=12'
    expect((await aurora.get(`/api/sheets/${id}/values/?${query}`)).body).toEqual({
      values: [['123', '123', '2026-11-20', 'TRUE', '50%', '123', '123', '#DIV/0!', 'text']],
      looks: ['4d1210121'],
    })
  })

  it('have named ranges, protected ones too, which are made and deleted by those who may edit', async () => {
    const id = await create(aurora, 'Ranges')
    const path = `/api/sheets/${id}/named-ranges/`
    const body = { name: 'Budget', gid: 0, rect: [0, 0, 2, 3], is_protected: true }
    expect((await aurora.post(path, body)).status).toBe(204)
    const { named_ranges, tabs } = await read(aurora, id)
    expect(named_ranges).toMatchObject([{ name: 'Budget', gid: 0, rect: [0, 0, 2, 3], is_protected: true }])
    expect(tabs[0]?.protected_ranges).toEqual([
      { rect: [0, 0, 2, 3], description: 'Budget', may_edit: true, warning_only: false },
    ])
    for (const name of ['Budget', 'A1', 'two words'])
      expectRefusal(await aurora.post(path, { ...body, name }), 400, 'invalid', {
        name: ['field_invalid'],
      })
    expectRefusal(await aurora.post(path, { ...body, rect: [2, 0, 2, 3] }), 400, 'invalid', {
      rect: ['field_invalid'],
    })
    const one = `${path}${named_ranges[0]?.id}/`
    expectRefusal(await borealis.post(path, body), 404, 'not_found')
    expectRefusal(await borealis.delete(one), 404, 'not_found')
    await aurora.post(`/api/sheets/${id}/share/`, { email: 'client-b@borealis.demo', role: 'reader' })
    expectRefusal(await borealis.post(path, { ...body, name: 'Other' }), 404, 'not_found')
    expectRefusal(await borealis.delete(one), 404, 'not_found')
    expect((await aurora.delete(one)).status).toBe(204)
    expect(await read(aurora, id)).toMatchObject({ named_ranges: [], tabs: [{ protected_ranges: [] }] })
    expectRefusal(await aurora.delete(one), 404, 'not_found')
  })

  it('are downloaded as CSV that runs nothing, with a mark for spreadsheet programs', async () => {
    const id = await create(aurora, '下載')
    await type(id, 'Sheet1!A1', [['Name', 'Cost'], ["'=1+1", -5], [], ['last', 1]])
    const csv = await fetch(`${api.origin}/api/sheets/${id}/export/?format=csv&gid=0`, {
      headers: { authorization: `Bearer ${aurora.token}` },
    })
    expect(csv.headers.get('content-disposition')).toContain(encodeURIComponent('下載 - Sheet1.csv'))
    const bytes = new Uint8Array(await csv.arrayBuffer())
    expect(Array.from(bytes.slice(0, 3))).toEqual([0xef, 0xbb, 0xbf])
    expect(new TextDecoder().decode(bytes)).toBe("Name,Cost\r\n'=1+1,-5\r\n\r\nlast,1\r\n")
  })

  it('are downloaded as XLSX', async () => {
    const id = await create(aurora, 'Book')
    const xlsx = await fetch(`${api.origin}/api/sheets/${id}/export/?format=xlsx`, {
      headers: { authorization: `Bearer ${aurora.token}` },
    })
    expect(xlsx.headers.get('content-type')).toContain('spreadsheetml')
    // A ZIP archive.
    expect(new TextDecoder().decode((await xlsx.arrayBuffer()).slice(0, 2))).toBe('PK')
  })

  it('are downloaded whole, whatever is garbage-collected meanwhile', async () => {
    const id = await create(aurora, 'Book')
    setFlagsFromString('--expose-gc')
    const clear: unknown = runInNewContext('gc')
    if (typeof clear !== 'function') throw new Error('no gc')
    const clearing = setInterval(() => clear(), 5)
    // Other files follow in this process.
    onTestFinished(() => clearInterval(clearing))
    const xlsx = await fetch(`${api.origin}/api/sheets/${id}/export/?format=xlsx`, {
      headers: { authorization: `Bearer ${aurora.token}` },
    })
    expect((await xlsx.arrayBuffer()).byteLength).toBeGreaterThan(1000)
  })

  it('do not exist where spreadsheets are Google’s', async () => {
    const person = await plain.signedIn('superuser', { email: 'someone@agency.example' })
    expectRefusal(await person.get('/api/sheets/'), 404, 'not_found')
  })

  it('refuse an invalid id', async () => {
    expectRefusal(await aurora.get('/api/sheets/..%2F..%2Fcontrol/'), 404, 'not_found')
  })
})
