import { CareAccounts } from '#shared/api/care.ts'
import { route } from '#server/http/route.ts'
import { clone } from './clone.ts'
import { presentAccount } from './clone-ends.ts'
import { extend } from './extend.ts'
import { load } from './load.ts'
import { CARE } from './paths.ts'
import { accountsInUse, readAccounts } from './queries.ts'
import { replace } from './replace.ts'
import { undo } from './undo.ts'

const accounts = route('GET', `${CARE}accounts/`, {
  summary: 'The accounts that my reports ask, and how many do.',
  // Names what one's reports ask although one may not use it (any more).
  rows: 'every',
  level: 'external_user',
  reply: CareAccounts,
  async run({ user, db }) {
    const used = await accountsInUse(db, user)
    const known = await readAccounts(db, user, [...used.keys()])
    return known.map(account => presentAccount(account, used.get(account.id) ?? 0))
  },
})

export const careRoutes = [accounts, replace, clone, extend, undo, load]
