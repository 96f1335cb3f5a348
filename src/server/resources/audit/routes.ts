import { AuditList, AuditQuery } from '#shared/api/audit.ts'
import { pageOf } from '#server/http/list.ts'
import { route } from '#server/http/route.ts'
import { listAudit } from './queries.ts'

const list = route('GET', '/api/audit/', {
  summary: 'Who signed in, changed, shared, ran or deleted what.',
  level: 'superuser',
  query: AuditQuery,
  reply: AuditList,
  async run({ query, db, request }) {
    const { count, rows } = await listAudit(db, query)
    const results = rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
    return pageOf(request.url, query, { count, results })
  },
})

export const auditRoutes = [list]
