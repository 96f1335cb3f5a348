import { readConfig, type Config } from '#server/config.ts'
import { databaseServer, openDatabase, type OpenDatabase } from '#server/db/connect.ts'

/** A command of the command line. */
export type Command = {
  /** As in "backup FILE", without the program's name. */
  usage: string
  summary: string
  /** Returns the exit code; 0 when it is done. Refusals are thrown. */
  run: (args: string[]) => Promise<number>
}

/** An error that the caller can fix; its message is all they see. */
export class CommandProblem extends Error {
  override readonly name = 'CommandProblem'
}

export function configOfProcess(): Config {
  const result = readConfig(process.env)
  if ('config' in result) return result.config
  throw new CommandProblem(['the configuration cannot be used.', ...result.problems].join('\n  '))
}

/**
 * Calls `work` with the address of the database: the operator's, or the embedded one, which is started for it
 * unless another Sheetcast process runs it.
 */
export async function withServer<T>(command: string, work: (url: string) => Promise<T>): Promise<T> {
  return await untilStopped(
    await databaseServer(configOfProcess(), { command, share: true, log: console.error }),
    ({ url }) => work(url),
  )
}

/** The same with sessions in the database. */
export async function withDatabase<T>(
  command: string,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(configOfProcess(), { command, share: true, log: console.error })
  return await untilStopped({ ...database, stop: database.close }, work)
}

async function untilStopped<S extends { stop: () => Promise<void> }, T>(
  started: S,
  work: (started: S) => Promise<T>,
) {
  // A server that we started would outlive us; what was not committed is rolled back.
  const interrupted = (_signal: NodeJS.Signals, number: number) =>
    started.stop().then(() => process.exit(128 + number))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted).once('SIGHUP', interrupted)
  try {
    return await work(started)
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted).off('SIGHUP', interrupted)
    await started.stop()
  }
}
