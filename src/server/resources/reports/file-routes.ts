import { z } from 'zod'
import { chunked } from '#shared/chunked.ts'
import { IdPath } from '#shared/api/list.ts'
import { ExportQuery, ImportOutcome, ImportQuery } from '#shared/api/reports.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import { attachment } from '#server/http/attachment.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { importReports } from './import.ts'
import { joinReportFiles, writeReportFile } from './report-file.ts'
import { noteAction, REPORTS } from './routes.ts'
import { visibleReport } from './visible.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'

const exportOne = route('GET', `${REPORTS}:id/export/`, {
  summary: 'Export a report as YAML, with accounts by their platform ids.',
  level: 'external_user',
  transaction: 'own',
  kind: 'export',
  params: IdPath,
  async run({ params: { id }, user, db, now, effects: { requestLimits }, reply }) {
    const read = () => inTransaction(db, trx => fileOf(trx, id, { user, now }))
    const { name, text } = await requestLimits.batch(user.id, read)
    void reply.header('content-disposition', attachment(`${name}.yaml`))
    await reply.type(YAML).send(text)
  },
})

const exportMany = route('GET', `${REPORTS}export/`, {
  summary: 'Export several reports as one YAML file, one document each, in the requested order.',
  level: 'external_user',
  transaction: 'own',
  kind: 'export',
  query: ExportQuery,
  async run({ query: { ids }, user, db, now, effects: { requestLimits }, reply }) {
    const texts: string[] = []
    // A session for each batch and not for the whole: a slow or long download keeps no session from others.
    for (const some of chunked(ids, BATCH)) {
      const read = (trx: Trx) => textsOf(trx, some, { user, now })
      texts.push(...(await requestLimits.batch(user.id, () => inTransaction(db, read))))
    }
    void reply.header('content-disposition', attachment('reports.yaml'))
    await reply.type(YAML).send(joinReportFiles(texts))
  },
})

/** So many files are read at a time. */
const BATCH = 20

async function textsOf(trx: Trx, ids: readonly number[], reader: { user: SignedInUser; now: Date }) {
  const texts: string[] = []
  for (const id of ids) texts.push((await fileOf(trx, id, reader)).text)
  return texts
}

const YAML = 'application/yaml; charset=utf-8'

async function fileOf(trx: Trx, id: number, { user, now }: { user: SignedInUser; now: Date }) {
  const report = await visibleReport(trx, user, id)
  const ids = report.channels.flatMap(block => block.accounts)
  const accounts = await usableAccounts(trx, { advertisers: await advertisersOf(trx, user) }, ids)
  await noteAction(trx, id, {
    actor: user,
    action: 'export',
    detail: { name: report.name, format: 'yaml' },
    now,
  })
  return { name: report.name, text: writeReportFile(report, accounts) }
}

const importAll = route('POST', `${REPORTS}import/`, {
  summary:
    'Import reports from YAML (the body, as application/yaml), one document each. 400 with `problems` if none can be created.',
  kind: 'import',
  level: 'external_user',
  query: ImportQuery,
  body: z.string().min(1),
  reply: ImportOutcome,
  status: 201,
  transaction: 'own',
  async run({ body, query: { folder = null, leave_out = false }, user, db, now, effects }) {
    const { settings } = effects
    const files = await effects.readReportFiles(user.id, body)
    const importing = { folder, leave_out, user, settings, now }
    return await inTransaction(db, async trx => {
      const results = await importReports(trx, files, importing)
      if (results.every(({ report }) => report === null))
        throw refuse('invalid', {
          fields: { file: ['field_invalid'] },
          extra: { problems: results.flatMap(({ problems }) => problems).slice(0, 50) },
        })
      return { results }
    })
  },
})

const checkImport = route('POST', `${REPORTS}import/check/`, {
  summary:
    'Check a YAML file: returns the reports that it would create, or its problems. Nothing is created.',
  kind: 'import',
  level: 'external_user',
  query: ImportQuery,
  body: z.string().min(1),
  reply: ImportOutcome,
  transaction: 'own',
  async run({ body, query: { folder = null, leave_out = false }, user, db, now, effects }) {
    const { settings } = effects
    const files = await effects.readReportFiles(user.id, body)
    let results: ImportOutcome['results'] = []
    await inTransaction(db, async trx => {
      results = await importReports(trx, files, { folder, leave_out, user, settings, now })
      // Created and rolled back, so that the result is always that of an import.
      throw new Undone()
    }).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
    return { results }
  },
})

class Undone extends Error {}

export const filesRoutes = [exportOne, exportMany, importAll, checkImport]
