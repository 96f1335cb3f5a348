import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorFacts } from '#shared/errors.ts'
import { ReportPending, PlatformFailure, type Jobs } from '#server/connectors/connector.ts'
import { testJobs } from '#server/connectors/testing/context.ts'
import { testAgency } from './testing/agency.ts'
import { reportInDatabase } from './testing/numbers-in-database.ts'
import { fetchBlocks, settleBlocks } from './fetch-blocks.ts'
import { planReport } from '#server/table/plan.ts'
import { answersTo, tableOf, type BlockAnswer, type NumbersReport } from './testing/right-numbers-oracle.ts'
import { anyReport, fixedReports, type Drawn } from './testing/right-numbers-reports.ts'
import { openWire } from './testing/right-numbers-wire-oracle.ts'
import { startTable, TableLimitError, TEXT_LIMIT } from '#server/table/shape.ts'
import { cellsOfTable, testAccount } from '#server/table/testing/table.ts'

// Random reports while the platform has random faults: through the plan, the connector and the table engine,
// some of them as whole runs into a spreadsheet. Each cell is compared with the result of an oracle, which
// uses the platform's numbers of single ads and days.

const numRuns = Number(process.env['REPORTS'] ?? (process.env['LONG'] ? 2000 : 15))
// A smaller report that fails takes minutes to find.
const settings = { endOnFailure: !process.env['SHRINK'] }

const agency = await testAgency()
const { sandbox, service } = agency
let now = ''
const reset = async () => {
  await sandbox.reset(now, { keep_files: true })
  await agency.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } })
}
const wire = openWire(sandbox.base_url, { era: () => now, reset })

/** The platform's numbers of the report without faults; then its faults begin. */
async function answersBefore(faults: object[], report: NumbersReport) {
  now = report.now
  await reset()
  const responses = await answersTo(report, wire)
  await reset()
  await sandbox.setFaults(faults)
  return responses
}

describe('any report', () => {
  it('equals the oracle cell by cell, or fails with a code and equals it when it is run again', async () => {
    const property = fc.asyncProperty(anyReport, async ({ report, faults }) => {
      const responses = await answersBefore(faults, report)
      const troubled = await fetchTable(report)
      expect(problemsIn(troubled, { report, answers: responses, troubles: faults.length > 0 })).toEqual([])
      await reset()
      const again = faults.length > 0 ? await fetchTable(report) : troubled
      expect(problemsIn(again, { report, answers: responses, troubles: false })).toEqual([])
    })
    const examples = fixedReports.map((report): [Drawn] => [report])
    await fc.assert(property, { ...settings, examples, numRuns: numRuns + examples.length })
  })

  it('is in the spreadsheet as the oracle has it, at the first attempt or at the second', async () => {
    const property = fc.asyncProperty(anyReport, async ({ report, faults }) => {
      const responses = await answersBefore(faults, report)
      const target = await reportInDatabase(agency, report)
      const id = await agency.queue(target.id)
      const effects = { now: () => new Date(report.now) }
      const first = await agency.attempt(id, effects)
      const is_postponed = first.status === 'queued'
      const meanwhile = is_postponed ? await service.values(target.spreadsheet_id) : []
      expect(meanwhile).toEqual([])
      if (is_postponed) {
        await reset()
        await agency.resume(id)
      }
      const run = is_postponed ? await agency.attempt(id, effects) : first
      // A table that no spreadsheet can hold is refused as a whole, whatever the outcomes of its blocks.
      const is_refused = run.code === 'cell_too_long' || run.code === 'cell_limit'
      const ended: Outcome =
        !is_refused && (run.status === 'completed' || run.blocks.every(({ status }) => status !== 'ok'))
          ? { cells: await service.values(target.spreadsheet_id), blocks: run.blocks }
          : { code: run.code ?? 'still waiting' }
      const troubles = faults.length > 0 && !is_postponed
      expect(problemsIn(ended, { report, answers: responses, troubles })).toEqual([])
    })
    await fc.assert(property, { ...settings, numRuns: Math.ceil(numRuns / 5) })
  })
})

type Outcome =
  | { code: string }
  | { cells: unknown[][]; blocks: readonly { status: string; code: string | null }[] }

/**
 * A report that the platform is still preparing is polled again, as the next attempt of a run does: it
 * records what is being prepared.
 */
async function fetchTable(report: NumbersReport): Promise<Outcome> {
  const jobs = testJobs()
  for (let polls = 1; ; polls += 1) {
    try {
      return await fetchOnce(report, jobs)
    } catch (error) {
      if (!(error instanceof ReportPending) || polls === MOST_LOOKS) throw error
    }
  }
}
const MOST_LOOKS = 20

async function fetchOnce(report: NumbersReport, jobs: Jobs): Promise<Outcome> {
  const plan = planOf(report)
  const collector = startTable(plan)
  try {
    const effects = {
      ...agency.effects(),
      jobs,
      now: () => new Date(report.now),
      sleep: async () => {},
      signal: new AbortController().signal,
      onProgress: async () => {},
    }
    const fetched = await fetchBlocks(plan, collector, effects)
    const table = collector.finish()
    const blocks = await settleBlocks(plan, fetched, { block_rows: table.blockRows, effects })
    return { cells: cellsOfTable(table, 3000), blocks }
  } catch (error) {
    if (error instanceof TableLimitError) return { code: error.code }
    if (error instanceof PlatformFailure && errorFacts(error.code).retried) return { code: error.code }
    throw error
  }
}

const leave_empty = { channel: 'fb', on_error: 'leave_empty' } as const

function planOf({ accounts, blocks, range, ...report }: NumbersReport) {
  const facts = accounts.map((account, id) => testAccount(id, account))
  const channels = blocks.map(block => ({ ...block, ...leave_empty }))
  return planReport({ ...report, channels }, { accounts: facts, range })
}

interface Expected {
  report: NumbersReport
  answers: BlockAnswer[]
  /** Whether the platform had any. */
  troubles: boolean
}

/** Codes of a whole run that goes on by itself later, and of a block that a faulty platform may cause. */
const passing = ['platform_unavailable', 'platform_timeout', 'platform_error', 'quota_exhausted']
const lasting = ['account_access_lost', 'credential_expired', 'too_large']

/** Every deviation: cells above all, and failures that nothing explains. */
function problemsIn(outcome: Outcome, expected: Expected): string[] {
  const { report, answers: responses, troubles } = expected
  if ('code' in outcome) return mayEndBy(expected).includes(outcome.code) ? [] : [`ended by ${outcome.code}`]
  const failed = new Set<number>()
  const problems = outcome.blocks.flatMap(({ status, code }, block) => {
    const response = responses[block]
    const codes = response && 'codes' in response ? response.codes : []
    if (status !== 'error') return codes.length > 0 ? [`block ${block} has not ended by ${codes}`] : []
    failed.add(block)
    return [...codes, ...(troubles ? lasting : [])].includes(code ?? '') ? [] : [`block ${block}: ${code}`]
  })
  // Without any output nothing is written.
  const is_written = outcome.blocks.some(({ status }) => status === 'ok')
  return is_written
    ? [...problems, ...differences(outcome.cells, tableOf(report, responses, failed))]
    : problems
}

function mayEndBy({ report, answers: responses, troubles }: Expected): string[] {
  const failed = new Set(responses.flatMap((response, block) => ('codes' in response ? [block] : [])))
  const is_long = tableOf(report, responses, failed).some(row =>
    row.some(cell => typeof cell === 'string' && cell.length > TEXT_LIMIT),
  )
  const jobs_fail = report.accounts.some(({ has_jobs }) => !has_jobs)
  return [
    ...(is_long ? ['cell_too_long'] : []),
    ...(jobs_fail ? ['platform_unavailable'] : []),
    ...(troubles ? passing : []),
  ]
}

/** The spreadsheet leaves empty cells out at the ends of rows. */
function differences(cells: unknown[][], expected: (string | number)[][]): string[] {
  if (cells.length > expected.length) return [`${cells.length} rows for ${expected.length}`]
  const problems = expected.flatMap((row, at) =>
    row.flatMap((value, index) => {
      const cell = cells[at]?.[index] ?? ''
      return isSame(cell, value)
        ? []
        : `row ${at} column ${index}: ${JSON.stringify(cell)} for ${JSON.stringify(value)}`
    }),
  )
  return problems.slice(0, 10)
}

/** Texts, counts and money to the last digit; a quotient may be off by the rounding of its last step. */
const isSame = (cell: unknown, expected: string | number) =>
  cell === expected ||
  (typeof cell === 'number' &&
    typeof expected === 'number' &&
    !Number.isInteger(expected) &&
    Math.abs(cell - expected) <= Math.abs(expected) * 1e-15)
