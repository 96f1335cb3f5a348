import {
  CreateIndustry,
  ImportBody,
  ImportQuery,
  ImportReply,
  UpdateIndustry,
} from '#shared/api/customers.ts'
import { route } from '#server/http/route.ts'
import { importReply, readImportFile } from '#server/import-file.ts'
import { countsOf, nameIn, planImport } from '#server/resources/advertisers/import-plan.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines, type AuditEntry } from '#server/resources/audit/queries.ts'
import { industryColumns } from './csv.ts'
import { insertIndustry, lockIndustries, updateIndustry } from './queries.ts'

export const importRoute = route('POST', '/api/industry/import/', {
  summary:
    'Create and change industries from a CSV file, by name. With `dry_run` it only says what would happen.',
  level: 'staff',
  kind: 'import',
  query: ImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now }) {
    const read = await readImportFile(file, industryColumns)
    const industries = await lockIndustries(db, 'all')
    const byName = new Map(industries.map(row => [row.name.toLowerCase(), row]))
    const byChineseName = new Map(industries.map(row => [row.name_zh.toLowerCase(), row.id]))
    const plan = await planImport(read, {
      schemas: { create: CreateIndustry, change: UpdateIndustry.omit({ version: true }) },
      keyOf: values => nameIn(values).toLowerCase(),
      find: key => byName.get(key),
      factsOf: before => before,
      async check({ name_zh }, before) {
        if (name_zh === undefined) return {}
        const holder = byChineseName.get(name_zh.toLowerCase())
        if (holder !== undefined && holder !== before?.id) return { name_zh: 'name_taken' }
        byChineseName.set(name_zh.toLowerCase(), before?.id ?? 0)
        return {}
      },
    })
    const reply = importReply(countsOf(plan), query)
    if (query.dry_run) return reply
    const lines: AuditEntry[] = []
    const note = (verb: string, id: number, detail: Record<string, unknown>) =>
      lines.push({ actor: user.id, action: `industry.${verb}`, object: 'industry', object_id: id, detail })
    for (const { after } of plan.creates) {
      const id = await insertIndustry(db, after, now)
      note('create', id, { name: after.name, changes: changedFields({}, after) })
    }
    for (const { before, after, changes } of plan.changes) {
      await updateIndustry(db, before.id, { ...after, now })
      note('change', before.id, { name: before.name, changes })
    }
    const { problems: _none, ...counts } = reply
    const whole = { actor: user.id, action: 'industry.import', object: 'industry', detail: counts }
    await writeAuditLines(db, [...lines, whole], now)
    return reply
  },
})
