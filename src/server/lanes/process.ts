import { z } from 'zod'
import type { Config } from '#server/config.ts'
import { connect } from '#server/db/connect.ts'
import { openQueue } from '#server/queue/queue.ts'
import { openVault } from '#server/vault.ts'
import { openSources, workerEffects } from '#server/worker-effects.ts'
import { handsHere } from './hands.ts'
import { workForParent } from './work-for-parent.ts'

// The program of a process that works on runs. Written by the main process alone: its settings have the shape of Config by construction.
const Settings = z.object({
  config: z.custom<Config>(value => typeof value === 'object'),
  database_url: z.string(),
  sessions: z.number(),
  lease_s: z.number(),
})
export type RunSettings = z.infer<typeof Settings>

workForParent(async (settings, log) => {
  const { config, database_url, sessions, lease_s } = Settings.parse(settings)
  const database = await connect(database_url, {
    command: 'runs',
    pool_size: sessions,
    log: message => log.warn(message),
  })
  const queue = await openQueue({
    connection_string: database_url,
    listen: database.listen,
    tasks: [],
    on_error: error => log.warn({ err: error }, 'the queue met a failure'),
    only_sends: true,
  })
  const vault = openVault(config)
  const sources = openSources(config, database, vault)
  const effects = workerEffects(config, database, { sources, vault, log })
  return {
    ...handsHere(database.db, queue, { effects: { ...effects, lease_s }, log }),
    async close() {
      await queue.close()
      await database.close()
    },
  }
})
