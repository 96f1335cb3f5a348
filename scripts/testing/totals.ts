import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { kindOf, KINDS, type Kind } from './kinds.ts'
import type { FileTimes } from './meter.ts'

const root = join(import.meta.dirname, '../..')
/** Where the times of the last run are stored, for `times.ts`. */
export const TIMES = join(root, 'node_modules/.cache/test-times.json')

export interface TestedFile {
  name: string
  kind: Kind
  passed: number
  failed: number
  /** Null where nothing came to run. */
  times: FileTimes | null
}

/**
 * Ends a run with its totals by kind, how each failing file is run again with the same seed, and one line for
 * programs.
 */
export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const files = modules.map(summarize)
    for (const line of linesOf(files, { errors: errors.length, seed: process.env.SEED ?? '' }))
      console.log(line)
    mkdirSync(dirname(TIMES), { recursive: true })
    writeFileSync(TIMES, JSON.stringify(files))
  }
}

/** The totals of a run. An error outside any test counts as one that failed, since it fails none. */
export function linesOf(
  files: readonly TestedFile[],
  { errors, seed }: { errors: number; seed: string },
): string[] {
  const totals = KINDS.flatMap(kind => {
    const those = files.filter(file => file.kind === kind)
    return those.length > 0 ? [lineOf(kind, those)] : []
  })
  const again = files
    .filter(file => file.failed > 0)
    .map(({ name }) => `again: SEED=${seed} npm run tests -- ${name}`)
  const [passed, failed] = [sum(files, each => each.passed), sum(files, each => each.failed)]
  return [...totals, ...again, `vitest: ${passed} passed, ${failed === 0 && errors > 0 ? 1 : failed} failed`]
}

function summarize(module: TestModule): TestedFile {
  const name = relative(root, module.moduleId)
  const states = Array.from(module.children.allTests(), test => test.result().state)
  const failed = states.filter(state => state === 'failed').length
  return {
    name,
    kind: kindOf(name),
    passed: states.filter(state => state === 'passed').length,
    // What could not be loaded, or whose preparation failed, has no test that failed.
    failed: module.ok() ? failed : Math.max(failed, 1),
    times: module.meta().times ?? null,
  }
}

function lineOf(kind: Kind, files: readonly TestedFile[]): string {
  const seconds = (of: keyof FileTimes) => `${Math.round(sum(files, each => each.times?.[of] ?? 0))} s`
  const tests = `${sum(files, each => each.passed)} passed, ${sum(files, each => each.failed)} failed`
  return `${kind}: ${tests} in ${files.length} files; ${seconds('whole')}, of them ${seconds('starting')} starting; ${seconds('computing')} of processor time`
}

const sum = <Each>(all: readonly Each[], of: (each: Each) => number) =>
  all.reduce((total, each) => total + of(each), 0)
