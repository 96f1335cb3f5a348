import type { ConnectablePlatform } from '#shared/connect.ts'
import { lockUntilEnd } from '#server/db/advisory-lock.ts'
import type { Db } from '#server/db/connect.ts'
import { inTransaction, type Trx } from '#server/db/transaction.ts'
import type { ConnectionEffects } from '#server/http/effects.ts'
import type { Vault } from '#server/vault.ts'
import { openApp } from './apps.ts'
import { dueForRenewal } from './login-queries.ts'
import { openLogin, renewLogin } from './logins.ts'
import { saveTest } from './notify.ts'

const DAY_MS = 86_400_000

/**
 * How long before its end a login is renewed. Meta's is good for sixty days; LY's ends four weeks after its
 * last use, and is used once a week.
 */
const RENEWED_BEFORE: Partial<Record<ConnectablePlatform, number>> = {
  meta: 14 * DAY_MS,
  ly_ads: 21 * DAY_MS,
}
/** So many at a time: a platform may take its time. */
const AT_MOST = 10

export interface RenewEffects {
  vault: Vault
  connections: Pick<ConnectionEffects, 'renew'>
}

/**
 * Renews the connected logins that are near their end; returns how many. May run in several processes at
 * once.
 */
export async function renewLogins(
  db: Db,
  { now, ...effects }: RenewEffects & { now: Date },
): Promise<number> {
  let renewed = 0
  for (const [platform, before] of Object.entries(RENEWED_BEFORE) as [ConnectablePlatform, number][]) {
    const until = new Date(now.getTime() + before)
    for (const { id } of await dueForRenewal(db, { platform, now, until, limit: AT_MOST }))
      renewed += await inTransaction(db, trx => renewOne(trx, { platform, id, until, now }, effects))
  }
  return renewed
}

/** One process at a time for each login: a second one finds it renewed. */
async function renewOne(
  trx: Trx,
  { platform, id, until, now }: { platform: ConnectablePlatform; id: number; until: Date; now: Date },
  { vault, connections }: RenewEffects,
): Promise<number> {
  await lockUntilEnd(trx, `public_account/${id}/renew`)
  const [account] = await dueForRenewal(trx, { platform, now, until, limit: 1, id })
  const app = account && (await openApp(trx, vault, platform))
  const saved = app && (await openLogin(trx, vault, id))
  if (!account || !app || !saved) return 0
  const renewed = await connections.renew(platform, { app, login: saved.login })
  if ('code' in renewed) {
    await saveTest(trx, account, { test_result: renewed.code, tested_at: now })
    return 0
  }
  return await renewLogin(trx, vault, { ...account, platform, ...renewed })
}
