import { z } from 'zod'
import { advertiserScope } from '#shared/access.ts'
import { CreateAdvertiser, UpdateAdvertiser } from '#shared/api/advertisers.ts'
import { ImportBody, ImportQuery, ImportReply } from '#shared/api/customers.ts'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Trx } from '#server/db/transaction.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { importReply, readImportFile, type ImportColumn, type ImportFile } from '#server/import-file.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAuditLines, type AuditEntry } from '#server/resources/audit/queries.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { advertiserColumns } from './csv.ts'
import { countsOf, nameIn, planImport } from './import-plan.ts'
import { allMembersOf, areClientsOfOthers, peopleByUsername, replaceMembers } from './member-queries.ts'
import {
  agentNames,
  industryNames,
  insertAdvertiser,
  isUsable,
  lockByNames,
  takenNames,
  updateAdvertiser,
} from './queries.ts'
import { factsOf, isSameSet } from './rules.ts'

const schemas = {
  create: CreateAdvertiser.extend({ is_active: z.boolean().default(true) }),
  change: UpdateAdvertiser.omit({ version: true }),
}

export const importRoute = (recheckShares: RecheckShares) =>
  route('POST', '/api/advertiser/import/', {
    summary:
      'Create and change advertisers from a CSV file, by name. With `dry_run` it only says what would happen.',
    level: 'staff',
    kind: 'import',
    query: ImportQuery,
    body: ImportBody,
    takes_form: true,
    reply: ImportReply,
    async run({ query, body: { file }, user, db, now }) {
      const known = await knownTo(db, user)
      const plan = await planOf(db, await readImportFile(file, columnsWith(known)), user)
      const reply = importReply(countsOf(plan), query)
      if (query.dry_run) return reply
      const lines: AuditEntry[] = []
      const note = (verb: string, id: number, detail: Record<string, unknown>) =>
        lines.push({
          actor: user.id,
          action: `advertiser.${verb}`,
          object: 'advertiser',
          object_id: id,
          detail,
        })
      for (const { after } of plan.creates) {
        const { members, ...facts } = after
        const id = await insertAdvertiser(db, facts, now)
        const all = advertiserScope[user.identity] === 'all' ? members : [...members, user.id]
        await replaceMembers(db, id, all)
        note('create', id, {
          name: facts.name,
          changes: changedFields({ members: [] }, { ...facts, members: all }),
        })
      }
      for (const { before, after, changes } of plan.changes) {
        const { members, ...facts } = after
        await updateAdvertiser(db, before.id, { ...facts, now })
        if (members && !isSameSet(members, before.members)) {
          await replaceMembers(db, before.id, members)
          const removed = before.members.filter(member => !members.includes(member))
          await recheckShares(db, { with: removed }, { editor: user, now })
        }
        note('change', before.id, { name: before.name, changes })
      }
      const { problems: _none, ...counts } = reply
      const whole = { actor: user.id, action: 'advertiser.import', object: 'advertiser', detail: counts }
      await writeAuditLines(db, [...lines, whole], now)
      return reply
    },
  })

/** What the cells of a file may name, by its name in small letters. */
interface Known {
  industries: Map<string, number>
  agents: Map<string, number>
  people: Map<string, number>
}

async function knownTo(db: Trx, user: SignedInUser): Promise<Known> {
  const lower = (name: string) => name.toLowerCase()
  const industries = [...(await industryNames(db))]
  return {
    industries: new Map(
      industries.flatMap(([id, name]) => [
        [lower(name.en), id],
        [lower(name['zh-TW']), id],
      ]),
    ),
    agents: new Map([...(await agentNames(db))].map(([id, name]) => [lower(name), id])),
    people: await peopleByUsername(db, user),
  }
}

/** No row has this id: the name is of nobody. */
const NOBODY = Number.MAX_SAFE_INTEGER

function columnsWith({ industries, agents, people }: Known): ImportColumn[] {
  const idOf = (ids: Map<string, number>, name: string) => ids.get(name.trim().toLowerCase()) ?? NOBODY
  const readers: Record<string, (text: string) => unknown> = {
    industry: text => (text === '' ? null : idOf(industries, text)),
    agent: text => (text === '' ? null : idOf(agents, text)),
    members: text => {
      const names = text.split(/[;\n]/).filter(name => name.trim() !== '')
      return [...new Set(names.map(name => idOf(people, name)))].toSorted((a, b) => a - b)
    },
  }
  return advertiserColumns.map(column => ({ ...column, read: readers[column.field] ?? column.read }))
}

async function planOf(db: Trx, file: ImportFile, user: SignedInUser) {
  const names = file.rows.map(({ values }) => nameIn(values))
  const rows = await lockByNames(db, user, names)
  const taken = await takenNames(db, names)
  const members = await allMembersOf(
    db,
    rows.map(({ id }) => id),
  )
  const byName = new Map(rows.map(row => [row.name, { ...row, members: members.get(row.id) ?? [] }]))
  return await planImport(file, {
    schemas,
    keyOf: nameIn,
    find: key => byName.get(key),
    factsOf: ({ members: of, ...before }) => ({ ...factsOf(before), members: of }),
    async check(after, before) {
      const faults: Record<string, ErrorCode> = {}
      // It is there, and not the caller's.
      if (before === undefined && taken.has(after.name ?? '')) faults['name'] = 'name_taken'
      if (after.industry === NOBODY) faults['industry'] = 'field_not_available'
      if (after.agent === NOBODY) faults['agent'] = 'field_not_available'
      const tax_id = after.tax_id ?? before?.tax_id ?? ''
      const fault = tax_id && whyNotTaxId(after.tax_country ?? before?.tax_country ?? 'TW', tax_id)
      if (fault) faults['tax_id'] = fault
      if (after.members && !isSameSet(after.members, before?.members ?? [])) {
        const isTheirs = before !== undefined && !(await isUsable(db, user, before.id))
        if (isTheirs || after.members.includes(NOBODY) || (await areClientsOfOthers(db, user, after.members)))
          faults['members'] = 'field_not_available'
      }
      return faults
    },
  })
}
