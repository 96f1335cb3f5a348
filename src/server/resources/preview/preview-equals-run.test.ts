import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PREVIEW_ROWS, type Preview } from '#shared/api/preview.ts'
import { CreateReport } from '#shared/api/reports.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { blocksInDatabase, reportInDatabase } from '#server/resources/runs/testing/numbers-in-database.ts'
import { anyReport } from '#server/resources/runs/testing/right-numbers-reports.ts'
import type { NumbersReport } from '#server/resources/runs/testing/right-numbers-oracle.ts'
import { createPreviews } from './create-previews.ts'

// A preview and a run of the same random report: the rows of the preview are those that the run then writes,
// cell for cell.

const numRuns = Number(process.env['REPORTS'] ?? (process.env['LONG'] ? 300 : 12))

const agency = await testAgency()
const { db, sandbox, service, owner } = agency

describe('the preview of any report', () => {
  it('has the first rows that a run then writes, and how many there are in all', async () => {
    let compared = 0
    const property = fc.asyncProperty(
      anyReport,
      fc.integer({ min: 0, max: 200 }),
      async ({ report }, more_days) => {
        await reset(report.now)
        const longerReport = longer(report, more_days)
        const target = await reportInDatabase(agency, longerReport)
        const result = await preview(longerReport)
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

async function preview(report: NumbersReport): Promise<Preview> {
  const { arrangement, fill_zero, sort, limit, header_language, dimensions, range } = report
  const channels = await blocksInDatabase(agency, report)
  const { sourceOf, hosts, tokens, limiter } = agency.effects()
  const make = createPreviews(
    { sourceOf, hosts, tokens, limiter, fetch },
    { stopping: new AbortController().signal },
  )
  return await make(db, {
    person: owner,
    isInternal: true,
    report: {
      ...CreateReport.parse({ arrangement, fill_zero, sort, limit, dimensions, channels }),
      header_language,
      timezone: 'Asia/Taipei',
      report: null,
    },
    accounts: channels.flatMap(block => block.accounts),
    range,
    last_rows: null,
    signal: new AbortController().signal,
    now: new Date(report.now),
  })
}

/** The spreadsheet leaves empty cells out at the ends of rows. */
const withoutTail = (cells: readonly unknown[]) =>
  cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1)
