import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestProject } from 'vitest/node'

/**
 * What a test file needs, the most demanding first: a real browser, other programs, a Postgres, a document to
 * draw in, or nothing.
 */
export const KINDS = ['browser', 'process', 'database', 'component', 'unit'] as const
export type Kind = (typeof KINDS)[number]

const root = join(import.meta.dirname, '../..')
const DATABASE = 'src/server/db/testing/database.ts'
const PROGRAMS = ['node:child_process', 'node:worker_threads']

/** How many files of these kinds are about to run. */
export const countOf = (project: TestProject, ...kinds: Kind[]): number =>
  filesOf(project).filter(file => kinds.includes(kindOf(file))).length

/** Whether one of the files that are about to run imports this one by itself. */
export const isImported = (project: TestProject, helper: string): boolean =>
  filesOf(project).some(file => importsOf(file).includes(helper))

const filesOf = ({ vitest }: TestProject) => vitest.state.getPaths().map(path => relative(root, path))

/**
 * By what the file imports, itself or through test helpers: nobody has to declare it, so it cannot be
 * declared wrongly.
 */
export function kindOf(file: string): Kind {
  if (file.startsWith('e2e/')) return 'browser'
  if (file.endsWith('.test.tsx')) return 'component'
  const reached = reach(file)
  if (PROGRAMS.some(each => reached.has(each))) return 'process'
  return reached.has(DATABASE) ? 'database' : 'unit'
}

function reach(file: string, reached = new Set<string>()): Set<string> {
  for (const imported of importsOf(file)) {
    if (reached.has(imported)) continue
    reached.add(imported)
    if (imported.includes('/testing/')) reach(imported, reached)
  }
  return reached
}

const IMPORT = /^(?:import|export)\s(?!type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm
const known = new Map<string, string[]>()

/** Files from the root, packages by their names. */
function importsOf(file: string): string[] {
  let imported = known.get(file)
  if (!imported) {
    const matches = readFileSync(join(root, file), 'utf8').matchAll(IMPORT)
    imported = Array.from(matches, ([, from, alone]) => placeOf(from ?? alone ?? '', file))
    known.set(file, imported)
  }
  return imported
}

function placeOf(specifier: string, file: string): string {
  if (specifier.startsWith('.')) return join(dirname(file), specifier)
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : specifier
}
