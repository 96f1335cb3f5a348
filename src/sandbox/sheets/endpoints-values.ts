import type { sheets_v4 } from '@googleapis/sheets'
import { parseRange, printRange } from './a1.ts'
import { appendValues } from './append.ts'
import { prefixed } from './batch-update/apply.ts'
import { readEnumParameter } from './check.ts'
import { READ_SCOPES, WRITE_SCOPES } from './endpoint.ts'
import type { Call, Endpoint } from './endpoint.ts'
import { invalid } from './errors.ts'
import { wants } from './fields-mask.ts'
import { openRender } from './render.ts'
import type { DateOption, ValueOption } from './render.ts'
import { asColumns, readRows, readTarget, rowsAsJson } from './values-read.ts'
import { clearRange, updateValues } from './values-write.ts'
import type { InputOption, Update } from './values-write.ts'
import { JSON_TYPE } from './wire.ts'
import type { HttpResponse } from './wire.ts'
import type { Work } from './work.ts'

const ID = '/v4/spreadsheets/([^/:]+)'
const RENDER = ['majorDimension', 'valueRenderOption', 'dateTimeRenderOption']
const INPUT = [
  'valueInputOption',
  'includeValuesInResponse',
  'responseValueRenderOption',
  'responseDateTimeRenderOption',
]

export const valuesEndpoints: Endpoint[] = [
  {
    method: 'GET',
    path: new RegExp(`^${ID}/values:batchGet$`),
    needs: 'read',
    counts: 'read',
    scopes: READ_SCOPES,
    query: ['ranges', ...RENDER],
    reply: 'BatchGetValuesResponse',
    run: batchGet,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/values:batchUpdate$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'BatchUpdateValuesResponse',
    run: batchUpdate,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/values:batchClear$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'BatchClearValuesResponse',
    run: batchClear,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/values/(.+):append$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [...INPUT, 'insertDataOption'],
    reply: 'AppendValuesResponse',
    run: append,
  },
  {
    method: 'POST',
    path: new RegExp(`^${ID}/values/(.+):clear$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: [],
    reply: 'ClearValuesResponse',
    run: clear,
  },
  {
    method: 'GET',
    path: new RegExp(`^${ID}/values/(.+)$`),
    needs: 'read',
    counts: 'read',
    scopes: READ_SCOPES,
    query: RENDER,
    reply: 'ValueRange',
    run: get,
  },
  {
    method: 'PUT',
    path: new RegExp(`^${ID}/values/(.+)$`),
    needs: 'write',
    counts: 'write',
    scopes: WRITE_SCOPES,
    query: INPUT,
    reply: 'UpdateValuesResponse',
    run: update,
  },
]

interface Options {
  columns: boolean
  value: ValueOption
  date: DateOption
}

function readOptions({ query }: Call): Options {
  const major = readEnumParameter('majorDimension', 'Dimension', query.get('majorDimension'))
  const value = readEnumParameter('valueRenderOption', 'ValueRenderOption', query.get('valueRenderOption'))
  const date = readEnumParameter(
    'dateTimeRenderOption',
    'DateTimeRenderOption',
    query.get('dateTimeRenderOption'),
  )
  return { columns: major === 'COLUMNS', value: valueOption(value), date: dateOption(date) }
}

const valueOption = (text: string | null | undefined): ValueOption =>
  text === 'UNFORMATTED_VALUE' || text === 'FORMULA' ? text : 'FORMATTED_VALUE'

const dateOption = (text: string | null | undefined): DateOption =>
  text === 'FORMATTED_STRING' ? text : 'SERIAL_NUMBER'

function get(call: Call): HttpResponse {
  const range = valueRangeJson(call, call.params[1] ?? '', readOptions(call), {
    range: wants(call.mask, 'range'),
    majorDimension: wants(call.mask, 'majorDimension'),
    values: wants(call.mask, 'values'),
  })
  return { status: 200, type: JSON_TYPE, chunks: [...range, '\n'] }
}

function batchGet(call: Call): HttpResponse {
  const options = readOptions(call)
  const part = (name: string) => wants(call.mask, 'valueRanges', name)
  const parts = { range: part('range'), majorDimension: part('majorDimension'), values: part('values') }
  const ranges = call.query.getAll('ranges').map(range => valueRangeJson(call, range, options, parts))
  const id = wants(call.mask, 'spreadsheetId') ? `"spreadsheetId":${JSON.stringify(call.book.id)}` : ''
  const list = wants(call.mask, 'valueRanges') && ranges.length > 0
  const chunks: (string | Uint8Array)[] = [`{${id}`]
  if (list) {
    chunks.push(`${id && ','}"valueRanges":[`)
    for (const [i, range] of ranges.entries()) chunks.push(i > 0 ? ',' : '', ...range)
    chunks.push(']')
  }
  return { status: 200, type: JSON_TYPE, chunks: [...chunks, '}\n'] }
}

/** A ValueRange as pieces of JSON: ten million cells are never held as values. */
function valueRangeJson(
  { service, book }: Call,
  range: string,
  { columns, ...options }: Options,
  parts: { range: boolean; majorDimension: boolean; values: boolean },
): (string | Uint8Array)[] {
  const { sheet, rect, echo } = readTarget(book, range)
  const head = {
    ...(parts.range && { range: echo }),
    ...(parts.majorDimension && { majorDimension: columns ? 'COLUMNS' : 'ROWS' }),
  }
  const headText = JSON.stringify(head)
  if (!parts.values) return [headText]
  const cells = service.store.cells()
  const rows = readRows(cells, { sheet, rect }, openRender(book, cells, options))
  const pieces = columns ? rowsAsJson(asColumns([...rows])) : rowsAsJson(rows)
  if (pieces.length === 0) return [headText]
  return [`${headText.slice(0, -1)}${headText === '{}' ? '' : ','}"values":[`, ...pieces, ']}']
}

interface UpdateOptions {
  input: InputOption
  echo: boolean
  value: ValueOption
  date: DateOption
}

function updateOptions({ query }: Call): UpdateOptions {
  readEnumParameter('responseValueRenderOption', 'ValueRenderOption', query.get('responseValueRenderOption'))
  readEnumParameter(
    'responseDateTimeRenderOption',
    'DateTimeRenderOption',
    query.get('responseDateTimeRenderOption'),
  )
  return {
    input: inputOption(
      readEnumParameter('valueInputOption', 'ValueInputOption', query.get('valueInputOption')),
    ),
    echo: query.get('includeValuesInResponse') === 'true',
    value: valueOption(query.get('responseValueRenderOption')),
    date: dateOption(query.get('responseDateTimeRenderOption')),
  }
}

function inputOption(option: string | null | undefined): InputOption {
  if (option === 'RAW' || option === 'USER_ENTERED') return option
  throw invalid("'valueInputOption' is required but not specified")
}

function update(call: Call): object {
  const body = call.body<sheets_v4.Schema$ValueRange>('ValueRange')
  const options = updateOptions(call)
  return call.change(['values.update'], work =>
    reply(work, updateValues(work, { range: call.params[1] ?? '', body }, options.input), options),
  )
}

/** The reply to an update, with the current values when those were requested. */
function reply(
  { book, cells }: Work,
  { sheet, rect, reply: response }: Update,
  { echo, value, date }: UpdateOptions,
) {
  if (!echo || rect.r1 <= rect.r0 || rect.c1 <= rect.c0) return response
  const values = [...readRows(cells, { sheet, rect }, openRender(book, cells, { value, date }))]
  const range = printRange(sheet, rect)
  return { ...response, updatedData: { range, majorDimension: 'ROWS', ...(values.length > 0 && { values }) } }
}

function batchUpdate(call: Call): object {
  const body = call.body<sheets_v4.Schema$BatchUpdateValuesRequest>('BatchUpdateValuesRequest')
  const options: UpdateOptions = {
    input: inputOption(body.valueInputOption),
    echo: body.includeValuesInResponse ?? false,
    value: valueOption(body.responseValueRenderOption),
    date: dateOption(body.responseDateTimeRenderOption),
  }
  return call.change(['values.batchUpdate'], work => {
    const sheets = new Set<number>()
    const responses = (body.data ?? []).map((data, i) =>
      prefixed(`Invalid data[${i}]: `, () => {
        if (!data.range) throw invalid('Missing range')
        const updated = updateValues(work, { range: data.range, body: data }, options.input)
        if (updated.reply.updatedCells) sheets.add(updated.sheet.sheet_id)
        return reply(work, updated, options)
      }),
    )
    const total = (name: 'updatedRows' | 'updatedColumns' | 'updatedCells') =>
      responses.reduce((sum, each) => sum + (each[name] ?? 0), 0)
    return {
      spreadsheetId: work.book.id,
      ...(sheets.size > 0 && {
        totalUpdatedRows: total('updatedRows'),
        totalUpdatedColumns: total('updatedColumns'),
        totalUpdatedCells: total('updatedCells'),
        totalUpdatedSheets: sheets.size,
      }),
      ...(responses.length > 0 && { responses }),
    }
  })
}

function append(call: Call): object {
  const body = call.body<sheets_v4.Schema$ValueRange>('ValueRange')
  const options = updateOptions(call)
  const insert = readEnumParameter('insertDataOption', 'InsertDataOption', call.query.get('insertDataOption'))
  return call.change(['values.append'], work => {
    const target = parseRange(call.params[1] ?? '', work.book)
    const { table, update: updated } = appendValues(work, target, {
      body,
      input: options.input,
      insert: insert === 'INSERT_ROWS',
    })
    return {
      spreadsheetId: work.book.id,
      ...(table && { tableRange: printRange(target.sheet, table) }),
      updates: reply(work, updated, options),
    }
  })
}

function clear(call: Call): object {
  call.body('ClearValuesRequest')
  return call.change(['values.clear'], work => ({
    spreadsheetId: work.book.id,
    clearedRange: clearRange(work, call.params[1] ?? ''),
  }))
}

function batchClear(call: Call): object {
  const { ranges } = call.body<sheets_v4.Schema$BatchClearValuesRequest>('BatchClearValuesRequest')
  return call.change(['values.batchClear'], work => ({
    spreadsheetId: work.book.id,
    clearedRanges: (ranges ?? []).map((range, i) =>
      prefixed(`Invalid range[${i}]: `, () => clearRange(work, range)),
    ),
  }))
}
