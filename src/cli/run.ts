import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { FileProblem } from '#shared/api/report-files.ts'
import type { Run } from '#shared/api/executions.ts'
import type { CreateReport } from '#shared/api/reports.ts'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { isErrorCode } from '#shared/errors.ts'
import { parseSpreadsheetUrl } from '#shared/spreadsheet-url.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import type { Product } from '#server/main.ts'
import { insertExecution } from '#server/resources/executions/queries.ts'
import { lockReport } from '#server/resources/reports/queries.ts'
import { readRunnableFile } from '#server/resources/reports/read-report-file.ts'
import { accountsForFile, missingAsProblems, resolveAccounts } from '#server/resources/reports/report-file.ts'
import { gapsOf } from '#server/resources/reports/rules.ts'
import { changeReport, createReport } from '#server/resources/reports/save.ts'
import { accessOfOwner } from '#server/resources/runs/access.ts'
import { findRun } from '#server/resources/runs/history-queries.ts'
import { presentRun } from '#server/resources/runs/present.ts'
import { CommandProblem, type Command } from './command.ts'
import { joinOrStart } from './product.ts'
import { checkTarget } from '#server/resources/targets/check-target.ts'

export const command: Command = {
  usage: 'run REPORT.yaml [--as USERNAME] [--json]',
  summary:
    'Saves the report in the file, runs it now and waits for it to finish. Runs as the first superuser unless --as is given.',
  async run(args) {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { as: { type: 'string' }, json: { type: 'boolean' } },
    })
    const [path, ...more] = positionals
    if (!path || more.length > 0) throw new CommandProblem(`name one file: sheetcast ${command.usage}`)
    const read = readRunnableFile(await readFile(path, 'utf8'))
    if ('problems' in read) throw wrongFile(path, read.problems)

    const product = await joinOrStart('run')
    try {
      const user = await findUser(product, values.as)
      const usable = await accountsForFile(product.db, await accessOfOwner(product.db, user.id))
      const resolved = resolveAccounts(read.file, usable)
      if (resolved.missing.length > 0) throw wrongFile(path, missingAsProblems(resolved.missing))
      const report = await saveReport(product, user, resolved.report)
      await proveTarget(product, user, resolved.report)
      const run = await runAndWait(product, user, report)
      console.log(values.json ? JSON.stringify(run, null, 2) : outcomeOf(run, read.file.spreadsheet_url))
      return run.status === 'completed' ? 0 : 1
    } finally {
      await product.stop()
    }
  },
}

const wrongFile = (path: string, problems: readonly FileProblem[]) =>
  new CommandProblem(
    [
      `${path} is not a valid report:`,
      ...problems.map(problem => `${problem.path || 'the file'}: ${problem.message}`),
    ].join('\n  '),
  )

async function findUser({ db }: Product, username: string | undefined): Promise<SignedInUser> {
  const user = await db
    .selectFrom('users')
    .select([
      'id',
      'username',
      'full_name',
      'identity',
      'department',
      'user_type',
      'language',
      'email',
      'email_confirmed',
    ])
    .where('is_active', '=', 1)
    .$if(username !== undefined, query => query.where('username', '=', username ?? ''))
    .$if(username === undefined, query => query.where('identity', '=', 'superuser'))
    .orderBy('id')
    .executeTakeFirst()
  if (!user)
    throw new CommandProblem(username ? `there is no account ${username}` : 'there is no superuser yet')
  // Without a sign-in: anyone who may start this program on this data may do all of this anyway.
  return { ...user, family: '', has_second_factor: false }
}

/** The person's report of this name, changed to the file's content; or a new one. */
async function saveReport(
  { db, effects: { settings } }: Product,
  user: SignedInUser,
  definition: CreateReport,
): Promise<number> {
  const now = new Date()
  const { folder: _folder, ...fields } = definition
  const draft = {
    ...fields,
    name: fields.name ?? '',
    timezone: fields.timezone ?? settings.time_zone,
    header_language: fields.header_language ?? user.language,
  }
  try {
    return await db.transaction().execute(async trx => {
      const known = await trx
        .selectFrom('report')
        .select('id')
        .where('owner', '=', user.id)
        .where('name', '=', draft.name)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .executeTakeFirst()
      const report = known && (await lockReport(trx, known.id))
      if (!report)
        return await createReport(trx, draft, { folder: null, owner: user.id, editor: user, settings, now })
      await changeReport(trx, report, { changes: draft, folder: report.folder, editor: user, settings, now })
      return report.id
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const fieldsWrong = Object.entries(error.facts.fields ?? {}).map(
      ([field, problems]) =>
        `${field}: ${problems.map(each => textOf(typeof each === 'string' ? each : each.code)).join(' ')}`,
    )
    throw new CommandProblem(
      ['the report is refused:', ...(fieldsWrong.length > 0 ? fieldsWrong : [textOf(error.code)])].join(
        '\n  ',
      ),
    )
  }
}

async function proveTarget({ db, effects }: Product, user: SignedInUser, report: CreateReport) {
  const spreadsheet_id = parseSpreadsheetUrl(
    report.spreadsheet_url,
    effects.settings.spreadsheet_origins,
  )?.spreadsheet_id
  if (!spreadsheet_id) throw new CommandProblem(textOf('not_a_spreadsheet'))
  const { spreadsheets } = effects
  const { result, system_user, code } = await checkTarget(
    { spreadsheet_id, sheet_name: report.sheet_name, start_cell: report.start_cell },
    { db, user, now: new Date(), spreadsheets },
  )
  if (result === 'ok') return
  const advice = code
    ? `type ${code} into any empty cell and run this again`
    : `share it with ${system_user} as Editor`
  throw new CommandProblem(`the spreadsheet cannot be written (${result.replaceAll('_', ' ')}): ${advice}`)
}

async function runAndWait({ db }: Product, user: SignedInUser, report: number): Promise<Run> {
  const row = await db.selectFrom('report').selectAll().where('id', '=', report).executeTakeFirstOrThrow()
  const gaps = gapsOf(row)
  if (gaps.length > 0) throw new CommandProblem(`the report is not complete: ${gaps.join(', ')}`)
  const runId = await db.transaction().execute(async trx => {
    const { id } = await insertExecution(trx, {
      user_id: user.id,
      idempotency_key: null,
      trigger: 'cli',
      reports: [{ report, owner: user.id }],
    })
    const link = await trx
      .selectFrom('execution_run')
      .select('run')
      .where('execution', '=', id)
      .executeTakeFirstOrThrow()
    return link.run
  })
  for (let lastStatus = ''; ;) {
    const run = await findRun(db, user, { report, run: runId })
    if (!run) throw new CommandProblem('the run no longer exists: somebody has deleted the report')
    const progress = `${run.status}${run.blocks.map(block => ` · ${block.label}: ${block.rows} rows`).join('')}`
    if (progress !== lastStatus) console.error(progress)
    lastStatus = progress
    if (!['queued', 'fetching', 'writing'].includes(run.status))
      return presentRun(run, { isInternal: true, table: run.written ? 'current' : null })
    await sleep(POLL_MS)
  }
}

const POLL_MS = 200

function outcomeOf(run: Run, spreadsheetUrl: string) {
  if (run.status === 'completed') return `${run.rows} rows · ${run.columns} columns · ${spreadsheetUrl}`
  const lines = run.blocks.flatMap(block => (block.code ? [`${block.label}: ${textOf(block.code)}`] : []))
  return [run.code ? textOf(run.code) : run.status, ...lines].join('\n  ')
}

const textOf = (code: string) => (isErrorCode(code) ? errorText(errorsEn, code, 'internal') : code)
