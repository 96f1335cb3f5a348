import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { Operations } from '#shared/api/operations.ts'
import { startProduct, type RunningProduct } from './product.ts'

/** How long the demo's first runs may take on a busy machine. */
const FIRST_RUNS_MS = 240_000
/** Names the data folder of the prepared demo to the processes of the tests. */
const PREPARED = 'PREPARED_DEMO'

/** Makes a data folder of the demo in which the first runs have ended, so that not every product runs the same reports again beside its browser. */
export async function prepareDemo(): Promise<{ remove: () => void }> {
  const folder = newFolder()
  const data_dir = join(folder, 'data')
  const product = await startProduct({ DATA_DIR: data_dir })
  await untilAtRest(product.origin)
  await product.stop()
  process.env[PREPARED] = data_dir
  return { remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The product on a copy of the prepared demo; without one, as where few tests are asked for, in an empty folder. */
export async function startPrepared(env: Record<string, string> = {}): Promise<RunningProduct> {
  const prepared = process.env[PREPARED]
  if (!prepared) return await startProduct(env)
  const folder = newFolder()
  const data_dir = join(folder, 'data')
  // Keeps the owners: started as root, the database runs as another user.
  execFileSync('cp', ['-pR', prepared, data_dir])
  const product = await startProduct({ ...env, DATA_DIR: data_dir })
  return {
    ...product,
    async stop() {
      await product.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function newFolder(): string {
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
