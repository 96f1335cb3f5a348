import { Agent, AgentList, AgentQuery, CreateAgent, UpdateAgent } from '#shared/api/customers.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { whyNotTaxId, type TaxCountry } from '#shared/billing/tax-id.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { agentsCsv } from './csv.ts'
import { importRoute } from './import-route.ts'
import {
  countUses,
  deleteAgent,
  findAgent,
  insertAgent,
  listAgents,
  lockAgent,
  updateAgent,
  type AgentRow,
} from './queries.ts'

const PATH = '/api/agent/'

const list = route('GET', PATH, {
  summary: 'List the agents through whom advertisers come, with how many of yours each has.',
  level: 'staff',
  query: AgentQuery,
  reply: AgentList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listAgents(db, user, query)
    return pageOf(request.url, query, { count, results: rows.map(present) })
  },
  csv: async ({ query, user, db }) => agentsCsv(db, user, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an agent.',
  level: 'staff',
  params: IdPath,
  reply: Agent,
  run: async ({ params: { id }, user, db }) => show(db, user, id),
})

const create = route('POST', PATH, {
  summary: 'Create an agent.',
  level: 'staff',
  body: CreateAgent,
  reply: Agent,
  status: 201,
  async run({ body, user, db, now }) {
    refuseTaxId(body)
    const id = await insertAgent(db, body, now)
    const detail = { name: body.name, changes: changedFields({}, body) }
    await note(db, { user, action: 'agent.create', id, now, detail })
    return await show(db, user, id)
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Change or deactivate an agent.',
  level: 'staff',
  params: IdPath,
  body: UpdateAgent,
  reply: Agent,
  async run({ params: { id }, body: { version, ...changes }, user, db, now }) {
    const before = await lockVersion(db, { id, version, user })
    refuseTaxId({
      tax_country: changes.tax_country ?? before.tax_country,
      tax_id: changes.tax_id ?? before.tax_id,
    })
    await updateAgent(db, id, { ...changes, now })
    const detail = { name: before.name, changes: changedFields(before, changes) }
    await note(db, { user, action: 'agent.change', id, now, detail })
    return await show(db, user, id)
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete an agent to which nothing points; 409 `in_use` says what does.',
  level: 'manager_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, user, db, now }) {
    const {
      version: _version,
      id: _id,
      created_at: _at,
      last_modified_at: _last,
      ...facts
    } = await lockVersion(db, { id, version, user })
    const by = await countUses(db, id)
    if (Object.keys(by).length > 0) throw refuse('in_use', { extra: { by } })
    await deleteAgent(db, id)
    const gone = Object.fromEntries(Object.keys(facts).map(field => [field, null]))
    const detail = { name: facts.name, changes: changedFields(facts, gone) }
    await note(db, { user, action: 'agent.delete', id, now, detail })
  },
})

function refuseTaxId({ tax_country, tax_id }: { tax_country: TaxCountry; tax_id: string }) {
  const fault = tax_id === '' ? null : whyNotTaxId(tax_country, tax_id)
  if (fault) throw refuse('invalid', { fields: { tax_id: [fault] } })
}

/** Refused when it has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version, user }: { id: number; version: number; user: SignedInUser },
) {
  const row = await lockAgent(trx, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version) throw refuse('conflict', { extra: { agent: await show(trx, user, id) } })
  return row
}

async function show(db: Db, user: SignedInUser, id: number): Promise<Agent> {
  const row = await findAgent(db, user, id)
  if (!row) throw refuse('not_found')
  return present(row)
}

const present = ({ created_at, last_modified_at, ...row }: AgentRow): Agent => ({
  ...row,
  created_at: created_at.toISOString(),
  last_modified_at: last_modified_at.toISOString(),
})

const note = (
  trx: Trx,
  { user, id, now, ...line }: { user: SignedInUser; action: string; id: number; now: Date; detail: object },
) =>
  writeAudit(
    trx,
    { actor: user.id, action: line.action, object: 'agent', object_id: id, detail: { ...line.detail } },
    now,
  )

export const agentsRoutes = [list, read, create, update, remove, importRoute]
