import { EraseMembers, EraseReply, Erasure, ErasureList, ErasureQuery } from '#shared/api/audiences.ts'
import { IdPath } from '#shared/api/list.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import type { SignedInUser } from '#server/http/session.ts'
import { findUsableAdvertiser } from '#server/resources/advertisers/queries.ts'
import { recordErasure, sweepErasure } from './erase.ts'
import { accountsOf, findErasure, listErasures, type ErasureRow } from './erasure-queries.ts'
import { memberKey } from './member-keys.ts'
import { identifiedRows, refuseFaultyRows } from './member-rules.ts'
import { noteAudience, requirePlan } from './rights.ts'

const PATH = '/api/lta/erase/'
/** A second or two; what is left is done by the job. */
const CHUNKS_AT_ONCE = 50

const erase = route('POST', PATH, {
  summary:
    'Erase people, by their hashes: from all stored lists of an advertiser and from the platforms that have them. Later uploads leave them out.',
  level: 'external_user',
  transaction: 'own',
  body: EraseMembers,
  reply: EraseReply,
  status: 202,
  async run({ body, user, db, now, effects: { vault } }) {
    await requirePlan(db, user)
    if (!(await findUsableAdvertiser(db, user, body.advertiser)))
      throw refuse('invalid', { fields: { advertiser: ['field_not_available'] } })
    refuseFaultyRows(body)
    const rows = identifiedRows(body.columns, body.rows)
    if (rows.length === 0) throw refuse('audience_empty')
    const key = await memberKey(db, vault)
    const id = await inTransaction(db, async trx => {
      const erasure = await recordErasure(trx, { ...body, rows, created_by: user.id, now }, { vault, key })
      const detail = { advertiser: body.advertiser, rows: rows.length }
      await noteAudience(trx, { action: 'erasure.create', id: erasure, user, now, detail })
      return erasure
    })
    await sweepErasure(db, { vault, now }, { id, most: CHUNKS_AT_ONCE })
    return { erasure: id }
  },
})

const list = route('GET', PATH, {
  summary: 'List erasures with their outcome at each ad account.',
  level: 'external_user',
  query: ErasureQuery,
  reply: ErasureList,
  async run({ query, user, db, request }) {
    const { count, rows } = await listErasures(db, user, query)
    return pageOf(request.url, query, { count, results: await presentErasures(db, user, rows) })
  },
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get an erasure with its outcome at each ad account.',
  level: 'external_user',
  params: IdPath,
  reply: Erasure,
  async run({ params: { id }, user, db }) {
    const row = await findErasure(db, user, id)
    const [shown] = await presentErasures(db, user, row ? [row] : [])
    if (!shown) throw refuse('not_found')
    return shown
  },
})

async function presentErasures(db: Db, user: SignedInUser, rows: readonly ErasureRow[]) {
  const accounts = await accountsOf(
    db,
    user,
    rows.map(({ id }) => id),
  )
  return rows.map(row => ({
    ...row,
    created_at: row.created_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    accounts: accounts.get(row.id) ?? [],
  }))
}

export const erasureRoutes = [erase, list, read]
