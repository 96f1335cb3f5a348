import { isForOthers } from '#server/config.ts'
import { startProduct, type StartOptions } from '#server/main.ts'
import { configOfProcess, type Command } from './command.ts'
import { serverLog } from './log.ts'

export const command: Command = {
  usage: 'serve',
  summary:
    'Starts the roles in ROLES (api, worker, scheduler), with an embedded database and a sandbox unless others are configured.',
  run: () => serve(configOfProcess()),
}

const STOPS_WITHIN_MS = 20_000

/** Runs until a signal stops it; a second signal does not wait. */
export async function serve(
  config: ReturnType<typeof configOfProcess>,
  options: StartOptions = {},
): Promise<number> {
  const log = serverLog(config.log_level)
  const stopSignal = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      stopSignal.resolve()
      process.once(signal, () => process.exit(1))
    })
  }
  const product = await startProduct(config, log, options)
  if (product.origin !== null) console.log(greeting(product.origin, config))
  await stopSignal.promise
  // A connection that does not close by then, for example because the database is unreachable, is abandoned:
  // leases run out, and other processes take over.
  setTimeout(() => {
    log.error('stop timed out; other processes take over the rest')
    process.exit(1)
  }, STOPS_WITHIN_MS).unref()
  await product.stop()
  return 0
}

function greeting(origin: string, config: ReturnType<typeof configOfProcess>) {
  const lines = [`Sheetcast is ready at ${origin}`]
  if (config.sandbox) {
    lines.push(
      '',
      'This is the demo: its advertising platforms and spreadsheets are emulated, nothing leaves this machine.',
      `Sign in as superuser, director, manager, staff, finance, client-a or client-b; the password is ${isForOthers(config) ? 'that of DEMO_PASSWORD' : config.demo_password}`,
    )
  }
  return `\n${lines.map(line => `  ${line}`).join('\n')}\n`
}
