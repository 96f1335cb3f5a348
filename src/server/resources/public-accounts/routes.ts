import { IdPath } from '#shared/api/list.ts'
import {
  CreatePublicAccount,
  DeletePublicAccountReply,
  ImportReply,
  PublicAccount,
  PublicAccountList,
  PublicAccountQuery,
  TestReply,
  UpdatePublicAccount,
} from '#shared/api/public-accounts.ts'
import type { Platform } from '#shared/platforms.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { pageOf } from '#server/http/list.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { publicAccountsCsv } from './csv.ts'
import { insertLogin, replaceLogin, type Login } from './logins.ts'
import { deletePublicAccount, findPublicAccount, listPublicAccounts, updatePublicAccount } from './queries.ts'
import { whyNotLogin } from './rules.ts'
import { saveTest } from './notify.ts'
import { connectRoutes } from './connect-routes.ts'
import { connectionRoutes } from './connection-routes.ts'
import { platformRoutes } from './platform-routes.ts'
import { presentAccount } from './present.ts'

const PATH = '/api/public-account/'

const list = route('GET', PATH, {
  summary: 'List the shared logins to platforms, with the names of their fields and without secrets.',
  level: 'superuser',
  query: PublicAccountQuery,
  reply: PublicAccountList,
  async run({ query, db, request }) {
    const { count, rows } = await listPublicAccounts(db, query)
    return pageOf(request.url, query, { count, results: rows.map(presentAccount) })
  },
  csv: async ({ query, db }) => publicAccountsCsv(db, query),
})

const read = route('GET', `${PATH}:id/`, {
  summary: 'Get a shared login, without its secrets.',
  level: 'superuser',
  params: IdPath,
  reply: PublicAccount,
  async run({ params, db }) {
    return presentAccount(await find(db, params.id))
  },
})

const create = route('POST', PATH, {
  summary: 'Create a shared login. It is stored encrypted and never returned. 400 with `login.FIELD`.',
  level: 'superuser',
  body: CreatePublicAccount,
  reply: PublicAccount,
  status: 201,
  async run({ body: { platform, name, login, expires_at }, user, db, now, effects }) {
    refuseNoLogin(platform, login)
    const id = await insertLogin(db, effects.vault, {
      platform,
      name,
      login,
      created_by: user.id,
      expires_at: expires_at === null ? null : new Date(expires_at),
    })
    await noteAction(db, { actor: user.id, action: 'create', id, detail: { platform, name }, now })
    return presentAccount(await find(db, id))
  },
})

const update = route('PATCH', `${PATH}:id/`, {
  summary: 'Rename a shared login, set when it expires, or replace its credentials. 400 with `login.FIELD`.',
  level: 'superuser',
  params: IdPath,
  body: UpdatePublicAccount,
  reply: PublicAccount,
  async run({ params: { id }, body, user, db, now, effects }) {
    const { name, login } = body
    const { platform, name: name_before, kind } = await find(db, id)
    // What a person has agreed to is agreed to again, and ends when the platform says.
    if (kind === 'oauth' && login) throw refuse('invalid', { fields: { login: ['field_not_available'] } })
    if (login) {
      refuseNoLogin(platform, login)
      await replaceLogin(db, effects.vault, { id, platform, login })
    }
    // The expiry of the old login says nothing about the new one.
    const expires_at = body.expires_at ?? (login ? null : body.expires_at)
    await updatePublicAccount(db, id, {
      name,
      ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
      last_modified_at: now,
    })
    const detail = { platform, name: name_before, fields: Object.keys(body) }
    await noteAction(db, { actor: user.id, action: 'change', id, detail, now })
    return presentAccount(await find(db, id))
  },
})

const remove = route('DELETE', `${PATH}:id/`, {
  summary: 'Delete a shared login. Its accounts stay, without a login.',
  level: 'superuser',
  params: IdPath,
  reply: DeletePublicAccountReply,
  async run({ params: { id }, user, db, now }) {
    const { platform, name, accounts } = await find(db, id)
    await deletePublicAccount(db, id)
    await noteAction(db, { actor: user.id, action: 'delete', id, detail: { platform, name, accounts }, now })
    return { accounts }
  },
})

const test = route('POST', `${PATH}:id/test/`, {
  summary: 'Test a shared login: `ok` with the number of accounts on the first page, or the error.',
  level: 'superuser',
  params: IdPath,
  reply: TestReply,
  transaction: 'own',
  async run({ params: { id }, user, db, now, effects }) {
    const account = await find(db, id)
    const reply = await effects.platforms.test(db, id)
    await inTransaction(db, async trx => {
      await saveTest(trx, account, { test_result: reply.result, tested_at: now })
      await noteAction(trx, {
        actor: user.id,
        action: 'test',
        id,
        detail: { platform: account.platform, name: account.name, result: reply.result },
        now,
      })
    })
    return reply
  },
})

const importAll = route('POST', `${PATH}:id/import-accounts/`, {
  summary: 'Import every account that the login can access. Existing accounts keep their advertiser.',
  kind: 'import',
  level: 'superuser',
  params: IdPath,
  reply: ImportReply,
  transaction: 'own',
  async run({ params: { id }, user, db, now, effects }) {
    const account = await find(db, id)
    const outcome = await effects.platforms.importAccounts(db, id, now)
    const test_result = 'code' in outcome ? outcome.code : 'ok'
    const detail = 'code' in outcome ? { result: outcome.code } : { ...outcome }
    await inTransaction(db, async trx => {
      await saveTest(trx, account, { test_result, tested_at: now })
      await noteAction(trx, { actor: user.id, action: 'import', id, detail, now })
    })
    if ('code' in outcome)
      throw refuse(outcome.code, {
        ...(outcome.retry_after_ms !== null && { retry_after_s: outcome.retry_after_ms / 1000 }),
      })
    return outcome
  },
})

async function find(db: Db, id: number) {
  const account = await findPublicAccount(db, id)
  if (!account) throw refuse('not_found')
  return account
}

function refuseNoLogin(platform: Platform, login: Login) {
  const fields = whyNotLogin(platform, login)
  if (fields) throw refuse('invalid', { fields })
}

/** The trail has the action and the names of fields; never the content of a field. */
async function noteAction(
  db: Db,
  {
    actor,
    action,
    id,
    detail,
    now,
  }: { actor: number; action: string; id: number; detail: object; now: Date },
) {
  await writeAudit(
    db,
    {
      actor,
      action: `public_account.${action}`,
      object: 'public_account',
      object_id: id,
      detail: { ...detail },
    },
    now,
  )
}

export const publicAccountsRoutes = [
  list,
  read,
  create,
  update,
  remove,
  test,
  importAll,
  ...platformRoutes,
  ...connectRoutes,
  ...connectionRoutes,
]
