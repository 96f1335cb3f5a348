import { z } from 'zod'
import { CreateAgent, ImportBody, ImportQuery, ImportReply, UpdateAgent } from '#shared/api/customers.ts'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'
import { route } from '#server/http/route.ts'
import { importReply, readImportFile } from '#server/import-file.ts'
import { countsOf, nameIn, planImport } from '#server/resources/advertisers/import-plan.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines, type AuditEntry } from '#server/resources/audit/queries.ts'
import { agentColumns } from './csv.ts'
import { insertAgent, lockAgents, updateAgent } from './queries.ts'

const schemas = {
  create: CreateAgent.extend({ is_active: z.boolean().default(true) }),
  change: UpdateAgent.omit({ version: true }),
}

export const importRoute = route('POST', '/api/agent/import/', {
  summary:
    'Create and change agents from a CSV file, by name. With `dry_run` it only says what would happen.',
  level: 'staff',
  kind: 'import',
  query: ImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now }) {
    const read = await readImportFile(file, agentColumns)
    const byName = new Map((await lockAgents(db)).map(row => [row.name.toLowerCase(), row]))
    const plan = await planImport(read, {
      schemas,
      keyOf: values => nameIn(values).toLowerCase(),
      find: key => byName.get(key),
      factsOf: before => before,
      async check(after, before) {
        const tax_id = after.tax_id ?? before?.tax_id ?? ''
        const fault = tax_id && whyNotTaxId(after.tax_country ?? before?.tax_country ?? 'TW', tax_id)
        return fault ? { tax_id: fault } : {}
      },
    })
    const reply = importReply(countsOf(plan), query)
    if (query.dry_run) return reply
    const lines: AuditEntry[] = []
    const note = (verb: string, id: number, detail: Record<string, unknown>) =>
      lines.push({ actor: user.id, action: `agent.${verb}`, object: 'agent', object_id: id, detail })
    for (const { after } of plan.creates) {
      const id = await insertAgent(db, after, now)
      note('create', id, { name: after.name, changes: changedFields({}, after) })
    }
    for (const { before, after, changes } of plan.changes) {
      await updateAgent(db, before.id, { ...after, now })
      note('change', before.id, { name: before.name, changes })
    }
    const { problems: _none, ...counts } = reply
    const whole = { actor: user.id, action: 'agent.import', object: 'agent', detail: counts }
    await writeAuditLines(db, [...lines, whole], now)
    return reply
  },
})
