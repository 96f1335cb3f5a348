import { z } from 'zod'
import { Report } from '#shared/api/reports.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { usableAccounts } from '#server/resources/runs/access.ts'
import { readReportFile, resolveAccounts, writeReportFile } from './report-file.ts'
import { reportFor, ReportPath, REPORTS, showReport } from './routes.ts'
import { unnamed } from './rules.ts'
import { createReport } from './save.ts'

const exportOne = route('GET', `${REPORTS}:id/export/`, {
  summary: 'A report as YAML, with accounts by their ids at the platforms.',
  level: 'external_user',
  params: ReportPath,
  async run({ params: { id }, user, db, reply }) {
    const { report } = await reportFor(db, id, { user, action: 'see' })
    const ids = report.channels.flatMap(block => block.accounts)
    const accounts = await usableAccounts(db, { advertisers: await advertisersOf(db, user) }, ids)
    const name = encodeURIComponent(`${report.name}.yaml`)
    void reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`)
    await reply.type('application/yaml; charset=utf-8').send(writeReportFile(report, accounts))
  },
})

const importOne = route('POST', `${REPORTS}import/`, {
  summary:
    'Make a report from YAML (the body itself, as application/yaml). 400 with `problems`, each with its place.',
  level: 'external_user',
  body: z.string().min(1),
  reply: Report,
  status: 201,
  async run({ body, user, db, now, effects: { settings } }) {
    const read = readReportFile(body)
    if ('problems' in read) throw unusable(read.problems)
    const resolved = await resolveAccounts(db, read.file, { advertisers: await advertisersOf(db, user) })
    if ('problems' in resolved) throw unusable(resolved.problems)
    const { folder, ...wanted } = resolved.report
    const draft = {
      ...wanted,
      name: wanted.name ?? unnamed[user.language],
      timezone: wanted.timezone ?? settings.time_zone,
      header_language: wanted.header_language ?? user.language,
    }
    const id = await createReport(db, draft, { folder, owner: user.id, editor: user, settings, now })
    await writeAudit(db, { actor: user.id, action: 'report.create', object: 'report', object_id: id }, now)
    return await showReport(db, id, { user, now })
  },
})

const unusable = (problems: readonly string[]) =>
  refuse('invalid', { fields: { file: ['field_invalid'] }, extra: { problems: problems.slice(0, 50) } })

export const filesRoutes = [exportOne, importOne]
