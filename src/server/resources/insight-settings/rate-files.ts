import { z } from 'zod'
import { RateText, type RateFormat, type RateImportQuery } from '#shared/api/insight-settings.ts'
import { Currency, Month } from '#shared/api/money.ts'
import { crossRate } from '#shared/billing/rate.ts'
import { nameOrNothing } from '#shared/api/names.ts'
import { codeFor } from '#server/http/parse.ts'
import { refuse } from '#server/http/refusal.ts'
import {
  hasSurplus,
  importRows,
  linesOfFile,
  MOST_BYTES,
  unusable,
  type ImportProblem,
} from '#server/import-file.ts'
import { readBankOfTaiwan, SPOT } from './bank-of-taiwan.ts'
import { readEcb } from './ecb.ts'
import { rateColumns } from './rate-csv.ts'
import type { RateRow } from './rates.ts'

/** What a file says, in units of the base currency. The header is row 1. */
export interface ReadRates {
  rates: ReadRate[]
  problems: ImportProblem[]
}
export interface ReadRate {
  row: number
  month: string
  currency: string
  rate: string
  /** Left out: by whether the month is over. */
  kind?: RateRow['kind'] | undefined
  /** Of whom it is, where the file itself says so. */
  source?: string | undefined
  /** The day that it is of, where it is of one. */
  day?: string
}

/** Reads a file of any of the formats; refused as a whole when it is none, or not for this base currency. */
export async function readRateFile(
  file: File,
  query: RateImportQuery,
  { base, stored }: { base: string; stored: readonly RateRow[] },
): Promise<ReadRates & { format: RateFormat }> {
  const lines = await linesOf(file, query)
  const [header = []] = lines
  const format = query.format ?? formatOf(header)
  if (format === 'ecb')
    return { format, ...readEcb(lines, { base, stored, month: query.month, from: query.from }) }
  if (format === 'plain') return { format, ...readPlain(lines) }
  if (base !== 'TWD') throw refuse('invalid', { fields: { format: ['rates_in_twd'] } })
  if (query.month === undefined) throw refuse('invalid', { fields: { month: ['field_required'] } })
  return { format, ...readBankOfTaiwan(lines, { month: query.month, price: query.price }) }
}

/** The history of the ECB has the newest days first: the beginning of a large one is enough. */
async function linesOf(file: File, { format }: RateImportQuery): Promise<string[][]> {
  if (file.size <= MOST_BYTES) return await linesOfFile(file)
  const isEcb = format === 'ecb' || (format === undefined && ECB.test(await file.slice(0, 8).text()))
  if (!isEcb) throw unusable('file_too_large')
  const lines = await linesOfFile(file)
  const [first = '', last = ''] = [lines[1]?.[0], lines.at(-1)?.[0]]
  if (first < last) throw unusable('file_too_large')
  return lines
}

const ECB = /^\s*"?date"?\s*,/i

function formatOf(header: readonly string[]): RateFormat {
  if (ECB.test(`${header[0] ?? ''},`)) return 'ecb'
  return header.some(title => SPOT.test(title.trim())) ? 'bank_of_taiwan' : 'plain'
}

const PlainRow = z.object({
  month: Month,
  currency: Currency,
  rate: RateText,
  kind: z.enum(['final', 'provisional']).optional(),
  source: nameOrNothing(60).optional(),
})

/** A rate a line: month, currency, rate; kind and source, if they are there. */
function readPlain(lines: readonly string[][]): ReadRates {
  const { rows, problems } = importRows(lines, rateColumns, ['month', 'currency', 'rate'])
  const read: ReadRates = { rates: [], problems: [...problems] }
  const [header = []] = lines
  for (const { row, values } of problems.length > 0 ? [] : rows) {
    const { data, error } = PlainRow.safeParse(values)
    if (hasSurplus(lines[row - 1] ?? [], header))
      read.problems.push({ row, field: 'rate', code: 'field_invalid' })
    else if (data) read.rates.push({ row, ...data, rate: crossRate(data.rate, '1') })
    else
      for (const issue of error.issues)
        read.problems.push({ row, field: issue.path.join('.'), code: codeFor(issue) })
  }
  return read
}
