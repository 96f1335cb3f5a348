import { AuditList, AuditQuery } from '#shared/api/audit.ts'
import type { Text } from '#shared/language.ts'
import { csvOf, type CsvColumn } from '#server/http/csv.ts'
import { pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import { auditBatches, listAudit } from './queries.ts'

const list = route('GET', '/api/audit/', {
  summary: 'List the audit trail.',
  level: 'superuser',
  query: AuditQuery,
  reply: AuditList,
  async run({ query, db, request }) {
    const { count, rows } = await listAudit(db, query)
    const results = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
    return pageOf(request.url, query, { count, results })
  },
  csv: async ({ query, db }) => csvOf(title, columns, auditBatches(db, query)),
})

type Line = Awaited<ReturnType<typeof listAudit>>['rows'][number]

const title: Text = { en: 'Audit trail', 'zh-TW': '稽核紀錄' }
const columns: readonly CsvColumn<Line>[] = [
  { header: { en: 'ID', 'zh-TW': '編號' }, cell: line => line.id },
  { header: { en: 'Time ({zone})', 'zh-TW': '時間（{zone}）' }, cell: line => line.at },
  { header: { en: 'Who', 'zh-TW': '人員' }, cell: line => line.actor_name },
  { header: { en: 'Action', 'zh-TW': '動作' }, cell: line => line.action },
  { header: { en: 'Object', 'zh-TW': '對象' }, cell: line => line.object },
  { header: { en: 'Object ID', 'zh-TW': '對象編號' }, cell: line => line.object_id },
  {
    header: { en: 'Detail', 'zh-TW': '細節' },
    cell: ({ detail }) => (detail ? JSON.stringify(detail) : null),
  },
  { header: { en: 'Address', 'zh-TW': '位址' }, cell: line => line.address },
]

export const auditRoutes = [list]
