import { LEAN_ENVIRONMENT } from '#server/compile-cache.ts'

/** Node's own choice grows to 54 MB of garbage. */
const YOUNG_GENERATION = '--max-semi-space-size=8'

/**
 * A process that stays begins again, as the same process with the same arguments, with what has to be set
 * before Node starts. Whatever was set from outside stays as it is.
 */
export function restartLean(): void {
  const environment = { ...LEAN_ENVIRONMENT, ...process.env }
  const isLean = Object.keys(LEAN_ENVIRONMENT).every(name => process.env[name] !== undefined)
  // Windows cannot, and a parent with a channel for messages (`node --watch`) would lose it.
  if (isLean || process.execve === undefined || process.platform === 'win32' || process.connected) return
  const [, program = '', ...args] = process.argv
  const flags = process.execArgv.some(flag => flag.startsWith('--max-semi-space-size'))
    ? process.execArgv
    : [YOUNG_GENERATION, ...process.execArgv]
  process.execve(process.execPath, [process.execPath, ...flags, program, ...args], environment)
}
