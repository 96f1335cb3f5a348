import { ImportBody, ImportQuery, ImportReply } from '#shared/api/customers.ts'
import { CreatePublisher, UpdatePublisher } from '#shared/api/materials.ts'
import { route } from '#server/http/route.ts'
import { importReply, readImportFile } from '#server/import-file.ts'
import { countsOf, nameIn, planImport } from '#server/resources/advertisers/import-plan.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines, type AuditEntry } from '#server/resources/audit/queries.ts'
import { publisherColumns } from './csv.ts'
import { insertPublisher, lockPublishers, updatePublisher } from './queries.ts'

/** What people write: the trail, which cannot be corrected, does not keep it. */
export const publisherTexts = ['website', 'contacts', 'note']

export const importRoute = route('POST', '/api/publisher/import/', {
  summary:
    'Create and change publishers from a CSV file, by name. With `dry_run` it only says what would happen.',
  level: 'staff',
  kind: 'import',
  query: ImportQuery,
  body: ImportBody,
  takes_form: true,
  reply: ImportReply,
  async run({ query, body: { file }, user, db, now }) {
    const read = await readImportFile(file, publisherColumns)
    const byName = new Map((await lockPublishers(db)).map(row => [row.name.toLowerCase(), row]))
    const plan = await planImport(read, {
      schemas: { create: CreatePublisher, change: UpdatePublisher.omit({ version: true }) },
      keyOf: values => nameIn(values).toLowerCase(),
      find: key => byName.get(key),
      factsOf: before => before,
      check: async () => ({}),
    })
    const reply = importReply(countsOf(plan), query)
    if (query.dry_run) return reply
    const lines: AuditEntry[] = []
    const note = (verb: string, id: number, detail: Record<string, unknown>) =>
      lines.push({ actor: user.id, action: `publisher.${verb}`, object: 'publisher', object_id: id, detail })
    for (const { after } of plan.creates) {
      const id = await insertPublisher(db, { ...after, created_by: user.id, now })
      note('create', id, { name: after.name, changes: changedFields({}, after, publisherTexts) })
    }
    for (const { before, after } of plan.changes) {
      await updatePublisher(db, before.id, { ...after, now })
      const changes = changedFields(before, after, publisherTexts)
      note('change', before.id, { name: before.name, changes })
    }
    const { problems: _none, ...counts } = reply
    const whole = { actor: user.id, action: 'publisher.import', object: 'publisher', detail: counts }
    await writeAuditLines(db, [...lines, whole], now)
    return reply
  },
})
