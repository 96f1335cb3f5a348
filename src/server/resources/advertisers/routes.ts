import { advertiserScope } from '#shared/access.ts'
import {
  Advertiser,
  AdvertiserList,
  AdvertiserQuery,
  CreateAdvertiser,
  UpdateAdvertiser,
} from '#shared/api/advertisers.ts'
import { IdPath } from '#shared/api/list.ts'
import { OfVersion } from '#shared/api/money.ts'
import { whyNotTaxId } from '#shared/billing/tax-id.ts'
import { todayIn } from '#shared/date-range.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import type { Effects } from '#server/http/effects.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { changedFields } from '#server/resources/audit/changed-fields.ts'
import type { RecheckShares } from '#server/resources/people/rules.ts'
import { advertisersCsv } from './csv.ts'
import { feeAgreementRoutes } from './fee-agreement-routes.ts'
import { importRoute } from './import-route.ts'
import { allMembers, areClientsOfOthers, arePeople, replaceMembers } from './member-queries.ts'
import { firstOfMonth, presentAdvertisers } from './present.ts'
import {
  countReferences,
  deleteAdvertiser,
  hasAgent,
  hasIndustry,
  insertAdvertiser,
  isUsable,
  listAdvertisers,
  lockAdvertiser,
  updateAdvertiser,
  type AdvertiserRow,
} from './queries.ts'
import { relationRoutes } from './relation-routes.ts'
import { factsOf, isSameSet } from './rules.ts'
import { spendRoute } from './spend-route.ts'
import { noteChange, visibleAdvertiser } from './visible.ts'

const PATH = '/api/advertiser/'

interface Context {
  user: SignedInUser
  now: Date
  effects: Pick<Effects, 'settings'>
}

const todayOf = ({ effects, now }: Omit<Context, 'user'>) => todayIn(effects.settings.time_zone, now)

const list = route('GET', PATH, {
  summary: 'List the advertisers whom you serve; finance sees all.',
  level: 'staff',
  query: AdvertiserQuery,
  reply: AdvertiserList,
  async run({ query, user, db, request, ...context }) {
    const today = todayOf(context)
    const { count, rows } = await listAdvertisers(db, user, { ...query, month: firstOfMonth(today) })
    const results = await presentAdvertisers(db, rows, { user, today })
    return pageOf(request.url, query, { count, results })
  },
  csv: async ({ query, user, db, ...context }) =>
    advertisersCsv(db, user, { ...query, month: firstOfMonth(todayOf(context)) }),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an advertiser.',
  level: 'staff',
  params: IdPath,
  reply: Advertiser,
  run: async ({ params, db, ...context }) => show(db, params.id, context),
})

const create = route('POST', PATH, {
  summary: 'Create an advertiser. Accounts imported with an owner of this name are assigned to it.',
  level: 'staff',
  body: CreateAdvertiser,
  reply: Advertiser,
  status: 201,
  async run({ body: { members, ...facts }, db, ...context }) {
    const { user, now } = context
    await refuseFaulty(db, facts)
    await refuseUnknownMembers(db, user, members)
    const id = await insertAdvertiser(db, facts, now)
    const seesAll = advertiserScope[user.identity] === 'all'
    await replaceMembers(db, id, seesAll ? members : [...members, user.id])
    const after = { ...facts, members: await allMembers(db, id) }
    const changes = changedFields({ members: [] }, after)
    await noteChange(db, {
      user,
      action: 'advertiser.create',
      id,
      now,
      detail: { name: facts.name, changes },
    })
    return await show(db, id, context)
  },
})

const update = (recheckShares: RecheckShares) =>
  route('PATCH', `${PATH}:id/`, {
    summary: 'Change or deactivate an advertiser, or change its members.',
    level: 'staff',
    params: IdPath,
    body: UpdateAdvertiser,
    reply: Advertiser,
    async run({ params: { id }, body: { members, version, ...changes }, db, ...context }) {
      const { user, now } = context
      const row = await lockVersion(db, { id, version }, context)
      const before = { ...factsOf(row), members: await allMembers(db, id) }
      await refuseFaulty(db, {
        industry: changes.industry === undefined ? row.industry : changes.industry,
        agent: changes.agent === undefined ? row.agent : changes.agent,
        tax_country: changes.tax_country ?? row.tax_country,
        tax_id: changes.tax_id ?? row.tax_id,
      })
      await updateAdvertiser(db, id, { ...changes, now })
      if (members && !isSameSet(members, before.members)) {
        await refuseUnknownMembers(db, user, members)
        // Who makes themselves a member may use the accounts: seeing the customer is not enough for that.
        if (!(await isUsable(db, user, id))) throw membersNotAvailable()
        await replaceMembers(db, id, members)
        const removed = before.members.filter(member => !members.includes(member))
        await recheckShares(db, { with: removed }, { editor: user, now })
      }
      const difference = changedFields(before, { ...changes, members: await allMembers(db, id) })
      const detail = { name: row.name, changes: difference }
      await noteChange(db, { user, action: 'advertiser.change', id, now, detail })
      return await show(db, id, context)
    },
  })

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete an advertiser to which nothing points; 409 `in_use` says what does.',
  level: 'manager_or_finance',
  params: IdPath,
  body: OfVersion,
  async run({ params: { id }, body: { version }, db, ...context }) {
    const { user, now } = context
    const row = await lockVersion(db, { id, version }, context)
    const by = await countReferences(db, id)
    if (Object.keys(by).length > 0) throw refuse('in_use', { extra: { by } })
    const before = { ...factsOf(row), members: await allMembers(db, id) }
    await deleteAdvertiser(db, id)
    const gone = Object.fromEntries(Object.keys(before).map(field => [field, null]))
    const detail = { name: row.name, changes: changedFields(before, gone) }
    await noteChange(db, { user, action: 'advertiser.delete', id, now, detail })
  },
})

/** Refused when it is not the caller's, or has been changed since. */
async function lockVersion(
  trx: Trx,
  { id, version }: { id: number; version: number },
  context: Context,
): Promise<AdvertiserRow> {
  const row = await lockAdvertiser(trx, context.user, id)
  if (!row) throw refuse('not_found')
  if (row.version !== version)
    throw refuse('conflict', { extra: { advertiser: await show(trx, id, context) } })
  return row
}

async function show(db: Db, id: number, context: Context): Promise<Advertiser> {
  const row = await visibleAdvertiser(db, context.user, id)
  const [shown] = await presentAdvertisers(db, [row], { user: context.user, today: todayOf(context) })
  if (!shown) throw refuse('not_found')
  return shown
}

/** What is wrong with a customer's facts, as far as other rows and checksums say. */
async function refuseFaulty(
  db: Trx,
  {
    industry,
    agent,
    tax_country,
    tax_id,
  }: Pick<AdvertiserRow, 'industry' | 'agent' | 'tax_country' | 'tax_id'>,
) {
  const fault = tax_id === '' ? null : whyNotTaxId(tax_country, tax_id)
  if (fault) throw refuse('invalid', { fields: { tax_id: [fault] } })
  if (industry !== null && !(await hasIndustry(db, industry)))
    throw refuse('invalid', { fields: { industry: ['field_not_available'] } })
  if (agent !== null && !(await hasAgent(db, agent)))
    throw refuse('invalid', { fields: { agent: ['field_not_available'] } })
}

/**
 * Members read what is an advertiser's, see each other, and prove spreadsheets for it. So nobody adds a
 * client of other advertisers: a client of none is new, one of theirs they know.
 */
async function refuseUnknownMembers(db: Db, user: SignedInUser, members: readonly number[]) {
  const areKnown = await arePeople(db, user, members)
  if (!areKnown || (await areClientsOfOthers(db, user, members))) throw membersNotAvailable()
}

const membersNotAvailable = () => refuse('invalid', { fields: { members: ['field_not_available'] } })

export const advertisersRoutes = (recheckShares: RecheckShares) => [
  list,
  ...relationRoutes(recheckShares),
  read,
  create,
  update(recheckShares),
  remove,
  spendRoute,
  ...feeAgreementRoutes,
  importRoute(recheckShares),
]
