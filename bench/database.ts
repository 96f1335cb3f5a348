import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type OpenDatabase } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

export interface BenchDatabase extends Omit<OpenDatabase, 'close'> {
  url: string
  /** Leaves nothing behind. */
  stop: () => Promise<void>
}

/** A migrated database of its own, whose statements may take as long as they like to fill it. */
export async function startDatabase(): Promise<BenchDatabase> {
  const data_dir = await mkdtemp(join(tmpdir(), 'sheetcast-bench-'))
  const server = await startEmbedded({ data_dir, command: 'bench' })
  await migrate(server.url)
  const { close, ...opened } = await connect(server.url, { command: 'bench', statement_timeout_ms: 600_000 })
  return {
    ...opened,
    url: server.url,
    async stop() {
      await close()
      await server.stop()
      await rm(data_dir, { recursive: true, force: true })
    },
  }
}

/** A block as people make it; its accounts are named but not there. */
export const exampleBlock = {
  channel: 'fb',
  label: null,
  accounts: [1, 2],
  metrics: ['impressions', 'clicks', 'cost', 'ctr'],
  filters: [{ field: 'campaign_name', rule: 'CONTAINS', values: ['brand'] }],
  on_error: 'leave_empty',
}
