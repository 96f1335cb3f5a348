import type { FileProblem, ReadReportFiles, ReportFile } from '#shared/api/report-files.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { ImportOutcome } from '#shared/api/reports.ts'
import { errorsEn } from '#shared/errors-en.ts'
import type { ApiSettings } from '#server/http/effects.ts'
import { Refusal, refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { accountsForFile, missingAsProblems, resolveAccounts, type AccountsByName } from './report-file.ts'
import { noteAction, refuseForeignFolder, showReport } from './routes.ts'
import { unnamed } from './rules.ts'
import { createReport } from './save.ts'

type Imported = ImportOutcome['results'][number]

interface Importing {
  folder: number | null
  /** Reports are created without the accounts that are not available. */
  leave_out: boolean
  user: SignedInUser
  settings: ApiSettings
  now: Date
}

/** Creates the reports that a file describes; each has an outcome of its own. */
export async function importReports(
  trx: Trx,
  files: ReadReportFiles,
  importing: Importing,
): Promise<Imported[]> {
  const { user, folder } = importing
  await refuseForeignFolder(trx, user.id, folder)
  if (files === 'too_many_documents') throw refuse('invalid', { fields: { file: ['field_too_many'] } })
  const usable = await accountsForFile(trx, { advertisers: await advertisersOf(trx, user) })
  const results: Imported[] = []
  for (const read of files) {
    if ('problems' in read) results.push(failed(read.name, read.problems))
    else results.push(await makeOne(trx, read.file, { ...importing, usable }))
  }
  return results
}

async function makeOne(
  trx: Trx,
  file: ReportFile,
  { usable, folder, leave_out, user, settings, now }: Importing & { usable: AccountsByName },
): Promise<Imported> {
  const { report: described, missing } = resolveAccounts(file, usable)
  const name = described.name ?? unnamed[user.language]
  if (missing.length > 0 && !leave_out) return failed(name, missingAsProblems(missing))
  const draft = {
    ...described,
    name,
    timezone: described.timezone ?? settings.time_zone,
    header_language: described.header_language ?? user.language,
  }
  try {
    const id = await createReport(trx, draft, { folder, owner: user.id, editor: user, settings, now })
    await noteAction(trx, id, { actor: user, action: 'create', detail: { name, folder, by_file: true }, now })
    const report = await showReport(trx, id, { user, now })
    const left_out = missing.map(({ channel, account, code }) => ({ channel, account, code }))
    return { name, report, left_out, problems: [] }
  } catch (error) {
    // A refusal is thrown before anything is written, so that the next one can still be created.
    if (!(error instanceof Refusal)) throw error
    return failed(name, problemsOf(error))
  }
}

const failed = (name: string, problems: FileProblem[]): Imported => ({
  name,
  report: null,
  left_out: [],
  problems: problems.slice(0, 50),
})

function problemsOf({ code, facts: { fields = {} } }: Refusal): FileProblem[] {
  const found = Object.entries(fields).flatMap(([path, problems]) =>
    problems.map(problem => ({ path, code: typeof problem === 'string' ? problem : problem.code })),
  )
  const all = found.length > 0 ? found : [{ path: '', code }]
  return all.map(problem => ({ ...problem, message: errorsEn.external[problem.code] }))
}
