import { spawn } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

/**
 * An empty folder that is removed after the run: a helper that is loaded once for many files cannot end with
 * each of them.
 */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(inject('test_folder'), 'cli-'))
  // Started as root, the database runs as another user, who must reach it.
  await chmod(folder, 0o755)
  return folder
}

interface Surroundings {
  env?: Record<string, string>
  input?: string
}

/** The program with an environment of its own, to the end. */
export async function sheetcast(args: string[], { env = {}, input = '' }: Surroundings = {}) {
  const child = start(args, env)
  child.stdin.end(input)
  const [output, complaint, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>(ended => child.once('close', ended)),
  ])
  return { code, output, complaint }
}

/** The same, still running. */
export function start(args: string[], env: Record<string, string>) {
  const program = fileURLToPath(new URL('../sheetcast.ts', import.meta.url))
  return spawn(process.execPath, [program, ...args], { env: { ...surroundings(), ...env } })
}

/** Nothing of the tests' environment except what finds programs, and Node's compile cache of our files. */
const surroundings = () => ({
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
})
