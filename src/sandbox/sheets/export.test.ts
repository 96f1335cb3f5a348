import { Buffer } from 'node:buffer'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, startSheets } from '#sandbox/testing/sheets.ts'

let harness: Awaited<ReturnType<typeof startSheets>>
beforeAll(async () => void (harness = await startSheets()))
afterAll(() => harness.stop())

const fetchAs = (path: string, email = OWNER, method = 'GET') =>
  fetch(`${harness.origin}${path}`, { method, headers: { authorization: `Bearer sandbox-user:${email}` } })

async function filled() {
  const id = await harness.create(
    { title: 'Data/2026', gridProperties: { rowCount: 50, columnCount: 5, frozenRowCount: 1 } },
    { title: 'Hidden', hidden: true },
  )
  await harness.write(id, "'Data/2026'!A1", [
    ['Name', 'Day', 'Sum'],
    ['a "q", <b> & _x0041_', 46_270, true],
  ])
  await harness.write(id, "'Data/2026'!C4", [["='Data/2026'!B2+1"]], 'USER_ENTERED')
  const numberFormat = { type: 'DATE', pattern: 'yyyy-mm-dd' }
  const range = { sheetId: 0, startRowIndex: 1, endRowIndex: 2, startColumnIndex: 1, endColumnIndex: 2 }
  await harness.batch(id, {
    repeatCell: {
      range,
      cell: { userEnteredFormat: { numberFormat } },
      fields: 'userEnteredFormat.numberFormat',
    },
  })
  return id
}

describe('CSV', () => {
  it('is what the cells show, with CRLF between rows, none at the end, and no mark at the start', async () => {
    const id = await filled()
    const response = await fetchAs(`/spreadsheets/d/${id}/export?format=csv&gid=0`)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString()).toBe('Name,Day,Sum\r\n"a ""q"", <b> & _x0041_",2026-09-05,TRUE\r\n,,\r\n,,46271')
  })

  it('comes of the first tab from Drive', async () => {
    const id = await filled()
    const response = await fetchAs(`/drive/v3/files/${id}/export?mimeType=text/csv`)
    expect(await response.text()).toMatch(/^Name,Day,Sum\r\n/)
  })
})

describe('XLSX', () => {
  it('holds typed cells, formats, formulas and tabs that Excel can name', async () => {
    const id = await filled()
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const response = await fetchAs(`/drive/v3/files/${id}/export?mimeType=${mimeType}`)
    expect(response.headers.get('content-type')).toBe(mimeType)
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const part = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    expect(part('xl/workbook.xml')).toContain(
      '<sheet name="Data_2026" sheetId="1" r:id="rId1"/><sheet name="Hidden" sheetId="2" state="hidden" r:id="rId2"/>',
    )
    const sheet = part('xl/worksheets/sheet1.xml')
    expect(sheet).toContain(
      '<c r="A2" t="inlineStr"><is><t xml:space="preserve">a &quot;q&quot;, &lt;b&gt; &amp; _x005F_x0041_</t></is></c>',
    )
    expect(sheet).toContain('<c r="B2" s="1"><v>46270</v></c><c r="C2" t="b"><v>1</v></c>')
    expect(sheet).toContain('<row r="4"><c r="C4"><f>Data_2026!B2+1</f><v>46271</v></c></row>')
    expect(sheet).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(part('xl/styles.xml')).toContain('<numFmt numFmtId="164" formatCode="yyyy-mm-dd"/>')
  })

  it('streams a large tab as it was when the download began', async () => {
    const id = await harness.create({ title: 'T', gridProperties: { rowCount: 20_000, columnCount: 8 } })
    const rows = (text: string) =>
      Array.from({ length: 10_000 }, (_, i) => Array.from({ length: 8 }, (_cell, j) => `${text} ${i} ${j}`))
    await harness.write(id, 'A1', rows('old'))
    const response = await fetchAs(`/spreadsheets/d/${id}/export?format=xlsx`)
    await harness.write(id, 'A1', rows('new'))
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml'] ?? new Uint8Array())
    expect(sheet.match(/<row /g)).toHaveLength(10_000)
    expect(sheet).not.toContain('new')
  })
})

describe('the viewer', () => {
  it('is a page with a strict policy and no cell in it', async () => {
    const id = await filled()
    const response = await fetch(`${harness.origin}/spreadsheets/d/${id}/edit`)
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    expect(await response.text()).not.toContain('Data/2026')
    expect((await fetch(`${harness.origin}/spreadsheets/viewer.js`)).headers.get('content-type')).toContain(
      'javascript',
    )
  })

  it('returns windows of a tab to those who may read', async () => {
    const id = await filled()
    const path = `/spreadsheets/d/${id}/cells?gid=0&r0=1&r1=3&c0=1&c1=3`
    expect(await (await fetchAs(path)).json()).toEqual({ rows: [['2026-09-05', 'TRUE']], notes: [] })
    expect((await fetchAs(path, 'stranger@example.com')).status).toBe(403)
    expect((await fetch(`${harness.origin}${path}`)).status).toBe(401)
  })

  it('returns the notes of a window, of empty cells too', async () => {
    const id = await filled()
    const note = (row: number, column: number, text: string) => ({
      updateCells: {
        start: { sheetId: 0, rowIndex: row, columnIndex: column },
        rows: [{ values: [{ note: text }] }],
        fields: 'note',
      },
    })
    await harness.batch(id, note(0, 0, 'outside'), note(1, 1, 'two\nlines'), note(4, 2, 'of an empty cell'))
    const path = `/spreadsheets/d/${id}/cells?gid=0&r0=1&r1=9&c0=1&c1=3`
    expect(await (await fetchAs(path)).json()).toMatchObject({
      notes: [
        { row: 1, column: 1, note: 'two\nlines' },
        { row: 4, column: 2, note: 'of an empty cell' },
      ],
    })
  })

  it('lists broken names, and lets an editor remove them', async () => {
    const id = await filled()
    const range = { sheetId: 0, startRowIndex: 9, endRowIndex: 10, startColumnIndex: 0, endColumnIndex: 1 }
    await harness.batch(
      id,
      { addNamedRange: { namedRange: { name: 'Spend', range } } },
      { deleteDimension: { range: { sheetId: 0, dimension: 'ROWS', startIndex: 9, endIndex: 10 } } },
    )
    expect(await (await fetchAs(`/spreadsheets/d/${id}/data`)).json()).toMatchObject({
      title: 'Weekly',
      role: 'owner',
      broken_names: ['Spend'],
    })
    await fetchAs(`/spreadsheets/d/${id}/forget-name?name=Spend`, OWNER, 'POST')
    await harness.batch(id, { addNamedRange: { namedRange: { name: 'Spend', range } } })
  })
})
