import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { demoLogins } from '#server/demo/logins.ts'
import { TEST_NOW } from './testing/effects.ts'
import { everyPlatform } from './testing/every-platform.ts'
import { mixedAgency } from './testing/mixed-agency.ts'
import { differences, outOfOrder } from './testing/mixed-numbers-compare.ts'
import { finalCodes, lastsForHours, type Fault } from './testing/mixed-numbers-faults.ts'
import { textOf } from '#server/table/testing/formula-trees.ts'
import { meaningsInDatabase, withFormulas } from './testing/mixed-numbers-meaning.ts'
import { factsOf } from './testing/mixed-numbers-facts.ts'
import { tableOf, type Fact, type MixedReport } from './testing/mixed-numbers-oracle.ts'
import { whyNot } from './testing/mixed-numbers-meant.ts'
import { anyMixedReport, type Drawn } from './testing/mixed-numbers-reports.ts'
import { noteProblems } from './testing/mixed-numbers-note.ts'
import { openDataset } from './testing/mixed-dataset.ts'
import type { RunRow } from './testing/agency.ts'

// Random reports over all channels while their platforms have random faults, as whole runs into a
// spreadsheet. Each cell is compared with the sandbox's data.

const numRuns = Number(process.env['REPORTS'] ?? (process.env['LONG'] ? 1000 : 8))

const agency = await mixedAgency()
const { db, sandbox, service } = agency
const dataset = openDataset(TEST_NOW)
const reset = async () => {
  await sandbox.reset(TEST_NOW, { keep_files: true })
  await agency.setLimits({ quota: { per_user: 1_000_000, per_project: 1_000_000 } })
}

let definition = 0
beforeAll(async () => void (definition = await meaningsInDatabase(agency)))

const output: string[] = []
beforeEach(() => {
  for (const way of ['log', 'info', 'warn', 'error', 'debug'] as const)
    vi.spyOn(console, way).mockImplementation((...words) => void output.push(inspect(words, { depth: 9 })))
})
afterEach(() => vi.restoreAllMocks())

describe('any report over all channels', () => {
  it('equals the data cell by cell, at once or when the faults are over, and leaks no secret', async () => {
    const reports = anyMixedReport(() => agency.found)
    const property = fc.asyncProperty(reports, async drawn => {
      expect(await problemsOf(drawn)).toEqual([])
    })
    // A smaller report that fails takes minutes to find.
    await fc.assert(property, { numRuns, endOnFailure: !process.env['SHRINK'] })
    // There were secrets that could leak.
    expect([...tokens].filter(isSecret)).not.toEqual([])
  })
})

/** The faults during a report: in its first run, when they are over, and in a later run. */
async function problemsOf({ report: drawn, faults, losesJobs }: Drawn): Promise<string[]> {
  await reset()
  const report = await withFormulas(agency, drawn)
  now_ms = Date.parse(TEST_NOW)
  const facts = await factsOf(report, { base_url: sandbox.base_url, dataset })
  await reset()
  await sandbox.setFaults(faults)
  const target = await reportInDatabase(report)
  const cells = () => service.values(target.spreadsheet_id)
  const written = async () => ({ cells: await cells(), notes: await notesIn(target.spreadsheet_id) })
  const id = await agency.queue(target.id)
  const first = await attempts(id)
  const has_expired = first.code === 'run_expired' && faults.some(lastsForHours)
  if (first.status !== 'queued' && !has_expired) {
    const problems = problemsIn(first, {
      report,
      facts,
      troubles: faults,
      is_proven: faults.length === 0,
      ...(await written()),
    })
    if (!first.blocks.some((_, block) => isFailed(first, report, block)))
      return [...problems, ...(await secretsLetOut())]
    await reset()
    const again = await attempts(await agency.queue(target.id))
    const later = problemsIn(again, { report, facts, troubles: [], is_proven: true, ...(await written()) })
    return [...problems, ...later, ...(await secretsLetOut())]
  }
  const meanwhile = [
    ...(has_expired || passing.includes(first.code ?? '') ? [] : [`postponed by ${first.code}`]),
    ...((await cells()).length > 0 ? ['written before the end'] : []),
  ]
  if (losesJobs || has_expired) await reset()
  else await sandbox.setFaults([])
  let next = has_expired ? await agency.queue(target.id) : id
  let run = await attempts(next)
  // Reports that were failing then are still given up, one after another; and abandoned requests may still
  // use up a quota.
  for (let tries = 0; (run.status === 'queued' || run.code === 'run_expired') && tries < 6; tries += 1) {
    // Its time has not come, and never does while the platforms' clock is stopped.
    if (run.code === 'quota_exhausted' || run.code === 'run_expired') await reset()
    if (run.code === 'run_expired') next = await agency.queue(target.id)
    run = await attempts(next)
  }
  // Their totals, too.
  const problems = problemsIn(run, { report, facts, troubles: [], is_proven: false, ...(await written()) })
  return [...meanwhile, ...problems, ...(await secretsLetOut())]
}

/** Whether a block has permanently failed that could have had rows. */
const isFailed = ({ blocks }: RunRow, report: MixedReport, at: number) =>
  blocks[at]?.status === 'error' && !refused(report, at)

/** Codes of a run that goes on by itself later. */
const passing = ['platform_unavailable', 'platform_timeout', 'platform_error', 'quota_exhausted']

let now_ms = 0
const tokens = new Set<string>()

/** Attempt after attempt as long as nothing has failed: platforms take time to prepare reports. */
async function attempts(run_id: string): Promise<RunRow> {
  const effects = {
    ...everyPlatform,
    now: () => new Date(now_ms),
    onUnexpected: (error: unknown) => void output.push(`unexpected: ${inspect(error, { depth: 9 })}`),
    fetch: (async (url, init) => {
      for (const name of ['authorization', 'access-token'])
        tokens.add((new Headers(init?.headers).get(name) ?? '').replace(/^\w+ /, ''))
      return await fetch(url, init)
    }) as typeof fetch,
  }
  let run = await agency.attempt(run_id, effects)
  for (let polls = 0; run.status === 'queued' && run.code === null && polls < 40; polls += 1) {
    await resume(run_id)
    run = await agency.attempt(run_id, effects)
  }
  await resume(run_id)
  return run
}

/** The time that a run waits for has come; here, not at the platforms, whose days continue. */
async function resume(run_id: string) {
  now_ms += 10_000
  await agency.resume(run_id)
}

async function reportInDatabase(report: MixedReport) {
  const { blocks, range, dimensions, formulas: _, blends, comparison, ...fields } = report
  return await agency.report({
    ...fields,
    dimensions: JSON.stringify(dimensions),
    date_start: range.start,
    date_end: range.end,
    comparison: comparison && JSON.stringify(comparison),
    blends: JSON.stringify(
      blends.map(({ tree, ...blend }) => ({ ...blend, formula: textOf(tree), decimals: 3 })),
    ),
    blocks: blocks.map(({ is_meant, ...block }) => ({
      ...block,
      conversion: is_meant ? definition : null,
      accounts: block.accounts.map(({ id }) => id),
      on_error: 'leave_empty' as const,
    })),
  })
}

const refused = ({ blocks, dimensions }: MixedReport, at: number) => {
  const block = blocks[at]
  return block !== undefined && whyNot(block, dimensions).length > 0
}

interface Expected {
  report: MixedReport
  facts: Fact[][]
  cells: unknown[][]
  /** All notes of the file. */
  notes: string[]
  troubles: readonly Fault[]
  /** Whether each block's total is available. */
  is_proven: boolean
}

/** Every deviation: cells above all, and failures that nothing explains. */
function problemsIn(run: RunRow, expected: Expected): string[] {
  const { report, facts, cells, notes, troubles, is_proven } = expected
  const is_written = run.blocks.some(({ status }) => status === 'ok')
  const ended = is_written ? 'completed' : 'error'
  const problems =
    run.status === ended ? [] : [`the run is ${run.status}: ${run.code} ${JSON.stringify(run.detail)}`]
  for (const [at, { status, code, proof }] of run.blocks.entries()) {
    const block = report.blocks[at]
    const providers = block?.accounts.map(({ provider }) => provider) ?? []
    const usual = refused(report, at)
      ? 'combination_not_allowed'
      : facts[at]?.length
        ? null
        : 'channel_no_data'
    if (code !== usual && !finalCodes(troubles, providers).includes(code ?? ''))
      problems.push(`block ${at} (${block?.channel}) is ${status}: ${code} for ${usual}`)
    if (status === 'ok' && proof === null && is_proven && isProvable(report, at))
      problems.push(`block ${at} (${block?.channel}) has no proof`)
    if (proof && !proof.matches && !leavesOut(report, at))
      problems.push(`block ${at} (${block?.channel}) is not proven: ${JSON.stringify(proof.differences)}`)
  }
  if (!is_written) return cells.length > 0 && troubles.length > 0 ? [...problems, 'written'] : problems
  const blockFacts = facts.map((fact, at) => (run.blocks[at]?.status === 'error' ? null : fact))
  const table = tableOf(report, blockFacts)
  const noted = noteProblems(notes, report, run)
  return [...problems, ...noted, ...differences(cells, table, report), ...outOfOrder(cells, report)]
}

async function notesIn(spreadsheet_id: string): Promise<string[]> {
  const document = await service.document(spreadsheet_id)
  return [...document.matchAll(/"note":("(?:[^"\\]|\\.)*")/g)].map(([, note = '""']) =>
    String(JSON.parse(note)),
  )
}

/**
 * Filters make a table smaller than its account on purpose, and a table without split and dates is the
 * account's total itself.
 */
function isProvable({ blocks, dimensions }: MixedReport, at: number): boolean {
  const split = dimensions.some(dimension => dimension !== 'account_name' && dimension !== 'currency')
  const block = blocks[at]
  return (
    split &&
    !block?.filters.some(({ field }) => field !== 'account_name') &&
    block?.metrics.some(isSummed) === true
  )
}
/** People are not summed, nor are visits past midnight, which count on both days. */
const isSummed = (metric: string) => !['reach', 'users', 'sessions'].includes(metric)

/** Campaigns without ad groups are in the account's total, but in no table by ad groups. */
const leavesOut = ({ blocks, dimensions }: MixedReport, at: number) =>
  blocks[at]?.channel === 'aw' && dimensions.includes('ad_group')

/**
 * Where a credential or a token occurs that should not: in the stored rows of runs, and in the output of the
 * process.
 */
async function secretsLetOut(): Promise<string[]> {
  const logins = Object.values(demoLogins).flatMap(login => Object.entries(login))
  const secrets = logins.flatMap(([field, text]) => (/token|secret/.test(field) && text ? [text] : []))
  const runs = await db.selectFrom('run').selectAll().execute()
  const jobs = await db.selectFrom('run_job').selectAll().execute()
  const stored = JSON.stringify([runs, jobs, output])
  return [...new Set([...secrets, ...tokens])].filter(secret => isSecret(secret) && stored.includes(secret))
}

const isSecret = (text: string) => text.length > 7
