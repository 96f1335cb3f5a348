import { spawn, type ChildProcess } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { parse } from 'node:path'
import type { Logger } from 'pino'
import { environmentOfPrograms } from '#server/child-environment.ts'

/** Why a file may not be stored; null: it may, or nothing checks it. */
export type ScanFile = (path: string) => Promise<'file_infected' | 'scan_unavailable' | null>

interface ScanOptions {
  command: readonly [program: string, ...args: string[]]
  log: Pick<Logger, 'info' | 'warn'>
  stopping: AbortSignal
  /** Aborted when a scan has taken too long. */
  timeout?: () => AbortSignal
}

/**
 * Runs the operator's virus scanner on a file that it reads from its standard input. It exits with 0 for a
 * clean file and with 1 for an infected one; everything else is a scanner that does not work. What it writes
 * goes nowhere. How many run at once is decided by request-limits.ts.
 */
export function createScan({
  command,
  log,
  stopping,
  timeout = () => AbortSignal.timeout(SCAN_MS),
}: ScanOptions) {
  return (async path => {
    const signal = AbortSignal.any([timeout(), stopping])
    const { code, why } = await outcomeOf(command, path, signal)
    if (code === 0) return null
    if (code === 1) {
      log.info({ exit_code: code }, 'an upload is infected')
      return 'file_infected'
    }
    log.warn({ exit_code: code, why }, 'the virus scanner does not work')
    return 'scan_unavailable'
  }) satisfies ScanFile
}

const SCAN_MS = 30_000

interface Outcome {
  /** null: it did not end by itself. */
  code: number | null
  why: string
}

async function outcomeOf(
  [program, ...args]: ScanOptions['command'],
  path: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const scanner = spawn(program, args, {
    // The leader of a group of its own, which is ended with everything that it has started.
    detached: true,
    cwd: parse(process.execPath).root,
    env: environmentOfPrograms(),
    stdio: ['pipe', 'ignore', 'ignore'],
    windowsHide: true,
  })
  const end = () => endGroup(scanner)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    const ended = new Promise<Outcome>(resolve => {
      scanner.once('error', error => resolve({ code: null, why: error.message }))
      scanner.once('exit', (code, by) => resolve({ code, why: by ? `ended by ${by}` : 'another exit code' }))
    })
    const [outcome, unread] = await Promise.all([ended, feed(scanner, path, end)])
    return unread === null ? outcome : { code: null, why: unread }
  } finally {
    signal.removeEventListener('abort', end)
  }
}

/** Why the file could not be read; that a scanner has read enough is its own affair. */
function feed({ stdin }: ChildProcess, path: string, giveUp: () => void): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>()
  if (stdin === null) return Promise.resolve('it takes no input')
  const file = createReadStream(path)
  file.once('close', () => resolve(null))
  file.once('error', error => {
    // Half of a file might be clean.
    giveUp()
    resolve(error.message)
  })
  stdin.on('error', () => undefined)
  stdin.once('close', () => file.destroy())
  file.pipe(stdin)
  return promise
}

function endGroup({ pid }: ChildProcess) {
  if (pid === undefined) return
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
