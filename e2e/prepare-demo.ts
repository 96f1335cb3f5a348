import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { Operations } from '#shared/api/operations.ts'
import { connect } from '#server/db/connect.ts'
import { copyWithOwners } from '#server/db/testing/copy.ts'
import { isUntouched } from '#server/demo/billing-queries.ts'
import { findEmbedded, startEmbedded } from '#server/db/embedded.ts'
import { spendChannels } from '#server/resources/spend/rules.ts'
import { startProduct } from './product.ts'

/** How long the demo's first runs may take on a busy machine. */
const FIRST_RUNS_MS = 600_000

/**
 * Creates a demo in which the first runs have ended, so that not every product runs the same reports again
 * beside its browser; in a data folder, and on a server for those products that bring no database of their
 * own.
 */
export async function prepareDemo(parent: string) {
  const folder = join(parent, 'data')
  const product = await startProduct({ DATA_DIR: folder })
  await untilAtRest(product.origin)
  await letSpendRest(folder)
  await product.stop()
  const served = join(parent, 'served')
  copyWithOwners(folder, served)
  const server = await startEmbedded({ data_dir: served, command: 'test', durable: false })
  return { demo: { folder, database: server.url }, end: server.stop }
}

/** Otherwise each product would keep querying a year of its accounts' spend, and today's anew every hour. */
async function letSpendRest(dataDir: string) {
  const url = (await findEmbedded(dataDir)) ?? ''
  const { db, close } = await connect(url, { command: 'test', pool_size: 1 })
  const open = db
    .selectFrom('ad_account')
    .leftJoin('spend_account as known', 'known.ad_account', 'ad_account.id')
    .where('channel', 'in', spendChannels)
    .where(eb =>
      eb.or([
        eb('known.claim', 'is not', null),
        eb('known.next_at', 'is', null),
        eb('known.next_at', '<=', sql<Date>`now()`),
      ]),
    )
    .select('id')
  while ((await open.execute()).length > 0) await sleep(500)
  // The demo locks its months once their spend is there.
  while (await isUntouched(db)) await sleep(500)
  await db
    .updateTable('spend_account')
    .set({ next_at: sql<Date>`now() + interval '1 day'` })
    .execute()
  await close()
}

async function untilAtRest(origin: string) {
  const signedIn = await fetch(`${origin}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'superuser', password: 'sheetcast-demo' }),
  })
  const { access } = z.object({ access: z.string() }).parse(await signedIn.json())
  const until = Date.now() + FIRST_RUNS_MS
  for (;;) {
    const response = await fetch(`${origin}/api/operations/`, {
      headers: { authorization: `Bearer ${access}` },
    })
    const { runs } = Operations.parse(await response.json())
    const { waiting, resting, fetching, writing } = runs
    if (waiting + resting + fetching + writing === 0) return
    if (Date.now() > until) throw new Error(`the demo's first runs have not ended: ${JSON.stringify(runs)}`)
    await sleep(500)
  }
}
