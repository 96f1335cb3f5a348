import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/**
 * Runs all tests, or the files that are named, and ends with one line of totals. Files that fail have a second try, each by itself and drawing the same:
 * on a busy machine one race in thousands of steps may be lost that is not the product's. Who needed it is said; what fails twice has failed, and so has
 * a counterexample that could not be drawn again, and everything when many files fail.
 */
const MOST_SECOND_TRIES = 4
const root = join(import.meta.dirname, '..')

const named = process.argv.slice(2)
const first = await run(named, named.length === 0 ? { PREPARE_DEMO: '1' } : {})
const failed = first.files.filter(file => file.failed > 0)
let totals = sum(first.files)
let ended_well = first.ended_well
if (failed.length > 0 && failed.length <= MOST_SECOND_TRIES && failed.every(({ is_final }) => !is_final)) {
  const again: TestFile[] = []
  for (const { name, seed } of failed) {
    console.log(`second try: ${name}`)
    const { files } = await run([name], seed === null ? {} : { SEED: seed })
    // A file that has vanished from the second report has not been tried.
    again.push(...files.filter(file => file.name === name))
  }
  totals = sum([...first.files.filter(file => !failed.includes(file)), ...again])
  ended_well = again.length === failed.length && totals.failed === 0
  if (ended_well) console.log(`passed at the second try: ${again.map(({ name }) => name).join(', ')}`)
}
// A file that cannot even be loaded, or an error outside any test, fails no test of its own.
if (!ended_well && totals.failed === 0) totals.failed = 1
console.log(`vitest: ${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 ? 0 : 1

interface TestFile {
  name: string
  passed: number
  failed: number
  /** What was drawn where a test failed, if its title says so. */
  seed: string | null
  /** A counterexample that nobody could draw again. */
  is_final: boolean
}

async function run(asked: string[], env = {}): Promise<{ files: TestFile[]; ended_well: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-tests-'))
  const report = join(folder, 'report.json')
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(join(root, 'node_modules/.bin/vitest'), [...options, ...asked], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  const status = await new Promise(resolve => child.once('exit', resolve))
  const files = await readFile(report, 'utf8').then(filesOf, () => [])
  await rm(folder, { recursive: true })
  return { files, ended_well: status === 0 }
}

/** Of the JSON reporter's answer, which is Jest's. */
function filesOf(report: string): TestFile[] {
  const { testResults: results }: { testResults: Result[] } = JSON.parse(report)
  return results.map(({ name, status, assertionResults: tests }) => {
    const failures = tests.filter(test => test.status === 'failed')
    const seed = failures.map(test => /\bseed[ =](\d+)/i.exec(test.fullName)?.[1]).find(Boolean) ?? null
    const has_counterexample = failures.some(({ failureMessages: messages }) =>
      messages.some(message => message.includes('Property failed after')),
    )
    return {
      name: relative(root, name),
      passed: tests.filter(test => test.status === 'passed').length,
      // One that could not be loaded, or whose preparation failed, has no test that failed.
      failed: status === 'failed' ? Math.max(failures.length, 1) : failures.length,
      seed,
      is_final: has_counterexample && seed === null,
    }
  })
}

interface Result {
  name: string
  status: string
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
}

function sum(files: readonly TestFile[]) {
  return {
    passed: files.reduce((total, file) => total + file.passed, 0),
    failed: files.reduce((total, file) => total + file.failed, 0),
  }
}
