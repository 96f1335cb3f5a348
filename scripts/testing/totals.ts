import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { kindOf, KINDS, type Kind } from './kinds.ts'
import type { FileTimes } from './meter.ts'

const root = join(import.meta.dirname, '../..')
/** Where the times of the last run are kept, for `times.ts`. */
export const TIMES = join(root, 'node_modules/.cache/test-times.json')

export interface TestedFile {
  name: string
  kind: Kind
  passed: number
  failed: number
  /** Null where nothing came to run. */
  times: FileTimes | null
}

/** Ends a run with its totals by kind, how each failing file is run again with what it drew, and one line for programs. */
export default class Totals implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]) {
    const files = modules.map(summarize)
    for (const kind of KINDS) {
      const those = files.filter(file => file.kind === kind)
      if (those.length > 0) console.log(lineOf(kind, those))
    }
    for (const { name } of files.filter(({ failed }) => failed > 0))
      console.log(`again: SEED=${process.env.SEED} npm run tests -- ${name}`)
    const [passed, failed] = [sum(files, each => each.passed), sum(files, each => each.failed)]
    // An error outside any test fails none.
    console.log(`vitest: ${passed} passed, ${failed === 0 && errors.length > 0 ? 1 : failed} failed`)
    mkdirSync(dirname(TIMES), { recursive: true })
    writeFileSync(TIMES, JSON.stringify(files))
  }
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
