import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { PREVIEW_ROWS, type Preview } from '#shared/api/preview.ts'
import { CreateReport } from '#shared/api/reports.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import {
  anyMeaning,
  meaningsInDatabase,
  type DrawnMeaning,
} from '#server/resources/runs/testing/mixed-numbers-meaning.ts'
import { comparisonOf } from '#server/resources/runs/testing/mixed-numbers-meant.ts'
import { blocksInDatabase } from '#server/resources/runs/testing/numbers-in-database.ts'
import { anyReport } from '#server/resources/runs/testing/right-numbers-reports.ts'
import type { NumbersReport } from '#server/resources/runs/testing/right-numbers-oracle.ts'
import { textOf } from '#server/table/testing/formula-trees.ts'
import { createPreviews } from './create-previews.ts'

// A preview and a run of the same random report: the rows of the preview are those that the run then writes,
// cell for cell.

const numRuns = Number(process.env['REPORTS'] ?? (process.env['LONG'] ? 300 : 12))

const agency = await testAgency()
const { db, sandbox, service, owner } = agency
let definition = 0
beforeAll(async () => void (definition = await meaningsInDatabase(agency)))

describe('the preview of any report', () => {
  it('has the first rows that a run then writes, and how many there are in all', async () => {
    let compared = 0
    const property = fc.asyncProperty(
      anyReport,
      fc.integer({ min: 0, max: 200 }),
      fc.option(anyMeaning),
      async ({ report }, more_days, meaning) => {
        await reset(report.now)
        const longerReport = longer(report, more_days)
        const fields = await fieldsOf(longerReport, meaning)
        const target = await agency.report(inColumns(fields))
        const result = await preview(longerReport, fields)
        // What has to be prepared first is left to the run.
        if (result.blocks.some(({ status }) => status === 'later')) return
        await reset(report.now)
        const run = await agency.run(target.id, { now: () => new Date(report.now) })
        const cells = await service.values(target.spreadsheet_id)
        const is_written = run.status === 'completed'
        expect(
          is_written ? differencesIn(result, cells, run.rows ?? 0) : endDifferences(result, run.code),
        ).toEqual([])
        if (is_written) compared += 1
      },
    )
    await fc.assert(property, { numRuns, endOnFailure: !process.env['SHRINK'] })
    expect(compared).toBeGreaterThan(numRuns / 3)
  })
})

/** The differences between the preview and the spreadsheet. */
function differencesIn(result: Preview, cells: unknown[][], rows: number): string[] {
  const [titles = [], ...written] = cells.map(withoutTail)
  const is_all = result.asked?.end === result.range?.end
  const of = (what: string, one: unknown, other: unknown) =>
    isDeepStrictEqual(one, other) ? [] : [`${what}: ${JSON.stringify(one)} for ${JSON.stringify(other)}`]
  return [
    ...of(
      'titles',
      result.columns.map(({ title }) => title),
      titles,
    ),
    ...result.rows.flatMap((row, at) => of(`row ${at}`, withoutTail(row), written[at])),
    ...of('has_more', result.has_more, rows > result.rows.length),
    ...(is_all ? of('rows', result.rows.length, Math.min(rows, PREVIEW_ROWS)) : []),
    ...(result.estimate?.kind === 'exact' ? of('estimate', result.estimate.rows, rows) : []),
  ].slice(0, 10)
}

/**
 * Such a run writes nothing: the preview says of each channel what the run says of it. A preview of the first
 * subrange alone cannot know that nothing follows either.
 */
function endDifferences(result: Preview, code: string | null): string[] {
  const is_part = result.asked?.end !== result.range?.end
  if (code === 'channel_no_data' && is_part && result.blocks.some(({ status }) => status === 'nothing_yet'))
    return []
  const codes = [result.code, ...result.blocks.map(block => block.code)]
  return codes.includes(code) ? [] : [`${code} for ${codes.join(', ')}`]
}

async function reset(now: string) {
  await sandbox.reset(now, { keep_files: true })
  await agency.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } })
}

/** Ranges that are fetched in several subranges, where that takes no report job of a platform. */
function longer(report: NumbersReport, days: number): NumbersReport {
  if (report.dimensions.includes('device_type') || report.dimensions.includes('ad')) return report
  const start = Temporal.PlainDate.from(report.range.start).subtract({ days }).toString()
  return { ...report, range: { ...report.range, start } }
}

/** The report as it is saved, with what was drawn of the meaning of its numbers. */
async function fieldsOf(report: NumbersReport, meaning: DrawnMeaning | null) {
  const { arrangement, fill_zero, sort, limit, header_language, dimensions, range } = report
  const blocks = await blocksInDatabase(agency, report)
  const numbers = meaning && (await withMeaning({ dimensions, range, blocks }, meaning))
  const { currency = null, comparison = null, blends = [], channels = blocks } = numbers ?? {}
  const joined = arrangement === 'joined' ? blends : []
  return {
    arrangement,
    fill_zero,
    sort,
    limit,
    header_language,
    dimensions,
    range,
    currency,
    comparison,
    blends: joined,
    channels,
  }
}

type Fields = Awaited<ReturnType<typeof fieldsOf>>
type Channels = Awaited<ReturnType<typeof blocksInDatabase>>

async function withMeaning(
  { dimensions, range, blocks }: Pick<NumbersReport, 'dimensions' | 'range'> & { blocks: Channels },
  { calculated, calculates, charges, counts, blends, currency, comparison }: DrawnMeaning,
) {
  await db.deleteFrom('calculated_metric').execute()
  const metrics: string[] = charges ? ['client_cost'] : []
  for (const [at, { tree, unit }] of calculates ? calculated.slice(0, 2).entries() : []) {
    const name = `Worked out ${at + 1}`
    const { id } = await db
      .insertInto('calculated_metric')
      .values({ advertiser: null, name, name_zh: name, formula: textOf(tree), unit, decimals: 2 })
      .returning('id')
      .executeTakeFirstOrThrow()
    metrics.push(`calc:${id}`)
  }
  const own = [...metrics, ...(counts ? ['conversions', 'roas'] : [])]
  return {
    currency,
    comparison: comparisonOf({ dimensions, range }, { comparison }),
    blends: blends.map(({ tree, unit }, at) => ({
      name: `Blend ${at + 1}`,
      formula: textOf(tree),
      unit,
      decimals: 2,
    })),
    channels: blocks.map(block => ({
      ...block,
      metrics: [...new Set([...block.metrics, ...own])],
      conversion: counts ? definition : null,
    })),
  }
}

const inColumns = ({ range, sort, dimensions, comparison, blends, channels, ...fields }: Fields) => ({
  ...fields,
  sort: sort && JSON.stringify(sort),
  dimensions: JSON.stringify(dimensions),
  comparison: comparison && JSON.stringify(comparison),
  blends: JSON.stringify(blends),
  date_start: range.start,
  date_end: range.end,
  blocks: channels,
})

async function preview(
  report: NumbersReport,
  { header_language, range, ...fields }: Fields,
): Promise<Preview> {
  const { sourceOf, hosts, tokens, limiter } = agency.effects()
  const make = createPreviews(
    { sourceOf, hosts, tokens, limiter, fetch },
    { stopping: new AbortController().signal },
  )
  return await make(db, {
    person: owner,
    isInternal: true,
    report: { ...CreateReport.parse(fields), header_language, timezone: 'Asia/Taipei', report: null },
    accounts: fields.channels.flatMap(block => block.accounts),
    range,
    last_rows: null,
    signal: new AbortController().signal,
    now: new Date(report.now),
  })
}

/** The spreadsheet leaves empty cells out at the ends of rows. */
const withoutTail = (cells: readonly unknown[]) =>
  cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1)
