import { z } from 'zod'
import { AdAccount, AdAccountList, AdAccountQuery } from '#shared/api/ad-accounts.ts'
import { IdText } from '#shared/api/list.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { findAccount, listAccounts } from './queries.ts'

const list = route('GET', '/api/ad/account/', {
  summary: 'The ad accounts that I may put into a report.',
  level: 'external_user',
  query: AdAccountQuery,
  reply: AdAccountList,
  async run({ query, user, db, request }) {
    const { count, results } = await listAccounts(db, user, query)
    return pageOf(request.url, query, { count, results: results.map(present) })
  },
})

const read = route('GET', '/api/ad/account/:id/', {
  summary: 'An ad account.',
  level: 'external_user',
  params: z.object({ id: IdText }),
  reply: AdAccount,
  async run({ params, user, db }) {
    const account = await findAccount(db, user, params.id)
    if (!account) throw refuse('not_found')
    return present(account)
  },
})

type Row = NonNullable<Awaited<ReturnType<typeof findAccount>>>
const present = ({ last_checked_at, ...account }: Row) => ({
  ...account,
  last_checked_at: last_checked_at?.toISOString() ?? null,
})

export const adAccountsRoutes = [list, read]
