import { AccountsInUse } from '#shared/api/bulk-operations.ts'
import { route } from '#server/http/route.ts'
import { clone } from './clone-routes.ts'
import { presentAccount } from './clone-source-and-target.ts'
import { extend } from './extend-routes.ts'
import { BULK } from './paths.ts'
import { accountsInUse, readAccounts } from './queries.ts'
import { replace } from './replace-routes.ts'
import { undo } from './undo-routes.ts'

const accounts = route('GET', `${BULK}accounts/`, {
  summary: 'List the accounts that your reports use, with the number of reports.',
  // Returns names of accounts in visible reports although the person may not use them (any more).
  rows: 'every',
  level: 'external_user',
  reply: AccountsInUse,
  async run({ user, db }) {
    const used = await accountsInUse(db, user)
    const known = await readAccounts(db, user, [...used.keys()])
    return known.map(account => presentAccount(account, used.get(account.id) ?? 0))
  },
})

export const bulkOperationsRoutes = [accounts, replace, clone, extend, undo]
