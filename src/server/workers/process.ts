import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { REFRESHED_EVERY_MS } from '#server/connected-users.ts'
import { connect } from '#server/db/connect.ts'
import { startInterval } from '#server/interval.ts'
import { openVault } from '#server/vault.ts'
import { openSources, workerEffects } from './effects.ts'
import { openExecutor } from './executor.ts'
import { workForParent } from './work-for-parent.ts'

// The program of a worker process. Started by the main process alone: its settings have the shape of Config
// by construction.
const Settings = z.object({
  config: z.custom<Config>(value => typeof value === 'object'),
  database_url: z.string(),
  sessions: z.number(),
  lease_s: z.number(),
})
export type WorkerSettings = z.infer<typeof Settings>

workForParent(async (settings, { log, onRuns, becomeAlone }) => {
  const { config, database_url, sessions, lease_s } = Settings.parse(settings)
  const database = await connect(database_url, {
    command: 'runs',
    pool_size: sessions,
    log: message => log.warn(message),
  })
  const vault = openVault(config)
  const sources = openSources(config, database, vault)
  const effects = workerEffects(config, database, { sources, vault, log })
  await effects.connected.refresh()
  const refreshing = startInterval(REFRESHED_EVERY_MS, log, effects.connected.refresh)
  const close = async () => {
    await refreshing.stop(0)
    await database.close()
  }
  return { ...openExecutor(database, { effects, lease_s, log, onRuns, becomeAlone }), close }
})
