import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPreparedProcess } from './start-prepared.ts'
import type { ProductProcess } from './product.ts'

const folder = mkdtempSync(join(tmpdir(), 'sheetcast-file-'))
const file = join(folder, 'report.yaml')
let product: ProductProcess
let spreadsheet_id: string

beforeAll(async () => {
  product = await startPreparedProcess()
  const made = await asManager('/v4/spreadsheets', { properties: { title: 'From a file' } })
  spreadsheet_id = ((await made.json()) as { spreadsheetId: string }).spreadsheetId
})
afterAll(async () => {
  await product?.stop()
  rmSync(folder, { recursive: true })
})

const asManager = (path: string, body?: object) =>
  fetch(`${product.sandbox}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: 'Bearer sandbox-user:manager@sheetcast.demo',
      'content-type': 'application/json',
    },
    body: body ? JSON.stringify(body) : null,
  })

/** `sheetcast run` beside the running product. */
function run(yaml: string, ...more: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  writeFileSync(file, yaml)
  const args = ['src/cli/sheetcast.ts', 'run', file, ...more]
  const options = { cwd: join(import.meta.dirname, '..'), env: product.env }
  return new Promise(resolve => {
    execFile(process.execPath, args, options, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    )
  })
}

const report = (changes: Record<string, string> = {}) => {
  const fields = {
    name: 'From a file',
    spreadsheet_url: `${product.sandbox}/spreadsheets/d/${spreadsheet_id}/edit`,
    sheet_name: 'Sheet1',
    start_cell: 'B2',
    dimensions: '[month]',
    date_range: '{ start: null, end: null, dynamic_range: 5 }',
    channels:
      '[{ channel: fb, accounts: [10150357160960121, Aurora Cosmetics Outlet], metrics: [impressions, cost] }]',
    ...changes,
  }
  return Object.entries(fields)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('')
}

describe('sheetcast run', () => {
  it('says whom to share the spreadsheet with', async () => {
    const { code, stderr } = await run(report(), '--as', 'manager')
    expect(code).toBe(1)
    expect(stderr).toContain('share it with sheetcast@sheetcast-sandbox.iam.gserviceaccount.com as Editor')
  })

  it('writes the table that the file describes', async () => {
    await asManager(`/drive/v3/files/${spreadsheet_id}/permissions`, {
      type: 'user',
      role: 'writer',
      emailAddress: 'sheetcast@sheetcast-sandbox.iam.gserviceaccount.com',
    })
    const { code, stdout, stderr } = await run(report(), '--as', 'manager')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/^\d+ rows · 3 columns · /)
    const response = await asManager(`/v4/spreadsheets/${spreadsheet_id}/values/Sheet1!B2:D3`)
    const { values } = (await response.json()) as { values: string[][] }
    expect(values[0]).toEqual(['Month', 'Impressions', 'Cost'])
    expect(values[1]?.[0]).toMatch(/^\d{4}-01$/)
  })

  it('prints the run as JSON', async () => {
    const { stdout } = await run(report(), '--as', 'manager', '--json')
    expect(JSON.parse(stdout)).toMatchObject({ trigger: 'cli', status: 'completed', columns: 3 })
  })

  it('names everything that is wrong with a file, and runs nothing', async () => {
    const { code, stderr } = await run(
      report({ start_cell: '7', dimensions: '[planet]', colour: 'red' }),
      '--as',
      'manager',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('start_cell')
    expect(stderr).toContain('dimensions.0')
    expect(stderr).toContain('colour')
  })

  it('knows no account of another client', async () => {
    const { code, stderr } = await run(
      report({ channels: '[{ channel: fb, accounts: [Borealis Outdoor Taiwan], metrics: [cost] }]' }),
      '--as',
      'client-a',
    )
    expect(code).toBe(1)
    expect(stderr).toContain('Borealis Outdoor Taiwan: there is no such account')
  })
})
