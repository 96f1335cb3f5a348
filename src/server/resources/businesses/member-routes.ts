import { BusinessMemberPath, BusinessMembers, GrantBusiness } from '#shared/api/businesses.ts'
import { IdPath } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import type { Trx } from '#server/db/transaction.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { listBusinessMembers } from '#server/resources/people/business-queries.ts'
import { readPerson } from '#server/resources/people/queries.ts'
import { deleteMember, findBusiness, insertMember, type BusinessRow } from './queries.ts'

const PATH = '/api/fb-business/:id/members/'

const list = route('GET', PATH, {
  summary: 'List the people to whom a business manager was granted.',
  level: 'director',
  params: IdPath,
  reply: BusinessMembers,
  async run({ params: { id }, user, db }) {
    await granted(db, user, id)
    return await show(db, id)
  },
})

const grant = route('POST', PATH, {
  summary: 'Grant a business manager: the whole of it to internal people, their own accounts to clients.',
  level: 'director',
  params: IdPath,
  body: GrantBusiness,
  reply: BusinessMembers,
  status: 201,
  async run({ params: { id }, body, user, db, now }) {
    const business = await granted(db, user, id)
    const person = await readPerson(db, body.user)
    if (!person) throw refuse('invalid', { fields: { user: ['field_not_available'] } })
    const member = { business: id, user_id: person.id, granted_by: user.id, created_at: now }
    if (await insertMember(db, member))
      await note(db, user, { action: 'business_member.create', business, user_id: person.id, now })
    return await show(db, id)
  },
})

const revoke = route('DELETE', `${PATH}:user_id/`, {
  summary: 'Take a business manager back from a person.',
  level: 'director',
  params: BusinessMemberPath,
  async run({ params: { id, user_id }, user, db, now }) {
    const business = await granted(db, user, id)
    if (!(await deleteMember(db, { business: id, user_id }))) throw refuse('not_found')
    await note(db, user, { action: 'business_member.delete', business, user_id, now })
  },
})

async function granted(db: Db, user: SignedInUser, id: number): Promise<BusinessRow> {
  const business = await findBusiness(db, user, id)
  if (!business) throw refuse('not_found')
  return business
}

const show = async (db: Db, id: number): Promise<BusinessMembers> => ({
  results: (await listBusinessMembers(db, id)).map(({ created_at, ...member }) => ({
    ...member,
    created_at: created_at.toISOString(),
  })),
})

const note = (
  trx: Trx,
  user: SignedInUser,
  change: { action: string; business: BusinessRow; user_id: number; now: Date },
) => {
  const { action, business, user_id, now } = change
  const detail = { name: business.name, person: user_id }
  return writeAudit(
    trx,
    { actor: user.id, action, object: 'business_member', object_id: business.id, detail },
    now,
  )
}

export const memberRoutes = [list, grant, revoke]
