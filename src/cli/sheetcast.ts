#!/usr/bin/env node
import { readFile } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { COMPILE_CACHE } from '#server/compile-cache.ts'
import { codeOf, DatabaseProblem, textOf } from '#server/db/problem.ts'
import { StartProblem } from '#server/start-problem.ts'
import { CommandProblem, type Command } from './command.ts'
import { restartLean } from './restart-lean.ts'

enableCompileCache(COMPILE_CACHE)

/** One file a command, read only when it is needed: `version` must not wait for a web server to load. */
const commands: Record<string, () => Promise<{ command: Command }>> = {
  serve: () => import('./serve.ts'),
  worker: () => import('./worker.ts'),
  run: () => import('./run.ts'),
  'import-accounts': () => import('./import-accounts.ts'),
  'import-ua-archive': () => import('./import-ua-archive.ts'),
  migrate: () => import('./migrate.ts'),
  'create-superuser': () => import('./create-superuser.ts'),
  'close-demo': () => import('./close-demo.ts'),
  'reset-second-factor': () => import('./reset-second-factor.ts'),
  'rotate-keys': () => import('./rotate-keys.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
}

const expectedKinds = [CommandProblem, DatabaseProblem, StartProblem]

const [name = 'help', ...args] = process.argv.slice(2)
if ((name === 'serve' || name === 'worker') && !args.includes('--help')) restartLean()
const load = commands[name]
if (load) await runCommand((await load()).command)
else if (['version', '--version', '-v'].includes(name)) console.log(await version())
else if (['help', '--help', '-h'].includes(name)) console.log(await help())
else {
  console.error(`sheetcast ${name}: there is no such command.\n\n${await help()}`)
  process.exitCode = 2
}

async function runCommand(command: Command) {
  if (args.includes('--help')) return console.log(`sheetcast ${command.usage}\n\n${command.summary}`)
  try {
    process.exitCode = await command.run(args)
  } catch (error) {
    // Errors of the caller and of the environment are printed as a sentence; ours with a stack trace.
    const misread = codeOf(error)?.startsWith('ERR_PARSE_ARGS')
    const ofAFile = error instanceof Error && 'path' in error // ENOENT, EACCES, …
    const expected = misread || ofAFile || expectedKinds.some(kind => error instanceof kind)
    console.error(
      `sheetcast ${name}: ${expected ? textOf(error) : String(error instanceof Error ? error.stack : error)}`,
    )
    if (misread) console.error(`Usage: sheetcast ${command.usage}`)
    process.exitCode = misread ? 2 : 1
  }
}

async function help() {
  const known = await Promise.all(Object.values(commands).map(async loadOne => (await loadOne()).command))
  const lines = known.map(({ usage, summary }) => `  ${usage}\n      ${summary}`)
  return `Usage: sheetcast COMMAND\n\n${lines.join('\n')}\n  version\n  help`
}

async function version() {
  const manifest: unknown = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  return typeof manifest === 'object' && manifest && 'version' in manifest ? String(manifest.version) : '?'
}
