import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { z } from 'zod'
import { Operations } from '#shared/api/operations.ts'
import { connect } from '#server/db/connect.ts'
import { findEmbedded } from '#server/db/embedded.ts'
import { spendChannels } from '#server/resources/spend/rules.ts'
import { startProduct, type RunningProduct } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of what is built before the browsers start. */
    prepared: string
  }
}

/** How long the demo's first runs may take on a busy machine. */
const FIRST_RUNS_MS = 600_000
/** The file that says that all is there. */
export const PREPARED = 'prepared.json'
const Prepared = z.object({
  /** The folder of the gallery; there only when a file asks for it. */
  gallery: z.string(),
  /** The data folder of the demo, if there are many files. */
  demo: z.string().optional(),
  problem: z.string().optional(),
})
export type Prepared = z.infer<typeof Prepared>

/** Makes a data folder of the demo in which the first runs have ended, so that not every product runs the same reports again beside its browser. */
export async function prepareDemo(folder: string): Promise<string> {
  const data_dir = join(folder, 'data')
  const product = await startProduct({ DATA_DIR: data_dir })
  await untilAtRest(product.origin)
  await letSpendRest(data_dir)
  await product.stop()
  return data_dir
}

/** Else each product would go on asking for a year of what its accounts have spent, and for today's anew every hour. */
async function letSpendRest(data_dir: string) {
  const url = (await findEmbedded(data_dir)) ?? ''
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
  await db
    .updateTable('spend_account')
    .set({ next_at: sql<Date>`now() + interval '1 day'` })
    .execute()
  await close()
}

/** Waits for what is being built, and says where it is. */
export async function untilPrepared(): Promise<Prepared> {
  const note = join(inject('prepared'), PREPARED)
  while (!existsSync(note)) await sleep(100)
  const prepared = Prepared.parse(JSON.parse(readFileSync(note, 'utf8')))
  if (prepared.problem !== undefined)
    throw new Error(`nothing could be prepared for the browser: ${prepared.problem}`)
  return prepared
}

/** The product on a copy of the prepared demo; without one, as where few tests are asked for, in an empty folder. */
export async function startPrepared(env: Record<string, string> = {}): Promise<RunningProduct> {
  const { demo } = await untilPrepared()
  if (demo === undefined) return await startProduct(env)
  const folder = newFolder()
  const data_dir = join(folder, 'data')
  // Keeps the owners: started as root, the database runs as another user.
  execFileSync('cp', ['-pR', demo, data_dir])
  const product = await startProduct({ ...env, DATA_DIR: data_dir })
  return {
    ...product,
    async stop() {
      await product.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sheetcast-prepared-'))
  chmodSync(folder, 0o755)
  return folder
}

async function untilAtRest(origin: string) {
  const signed_in = await fetch(`${origin}/api/token/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'superuser', password: 'sheetcast-demo' }),
  })
  const { access } = z.object({ access: z.string() }).parse(await signed_in.json())
  const until = Date.now() + FIRST_RUNS_MS
  for (;;) {
    const answer = await fetch(`${origin}/api/operations/`, {
      headers: { authorization: `Bearer ${access}` },
    })
    const { runs } = Operations.parse(await answer.json())
    const { waiting, resting, fetching, writing } = runs
    if (waiting + resting + fetching + writing === 0) return
    if (Date.now() > until) throw new Error(`the demo's first runs have not ended: ${JSON.stringify(runs)}`)
    await sleep(500)
  }
}
