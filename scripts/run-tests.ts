import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/**
 * Runs all tests, or the files that are named, and ends with one line of totals. Browser tests that fail have a second try, the whole file in a product and a browser of
 * its own: on a busy machine one race in thousands of steps may be lost that is not the product's. Who needed it is said; what fails twice
 * has failed, and so has everything when many fail.
 */
const MOST_SECOND_TRIES = 3
const root = join(import.meta.dirname, '..')

const first = await run(process.argv.slice(2))
const failed_files = first.files.filter(file => file.failed > 0)
const in_browsers = failed_files.filter(file => file.name.startsWith('e2e/'))
let totals = sum(first.files)
let ended_well = first.ended_well
if (in_browsers.length > 0 && in_browsers.length <= MOST_SECOND_TRIES) {
  const names = in_browsers.map(file => file.name)
  console.log(`second try: ${names.join(', ')}`)
  const second = await run(['--project', 'e2e', ...names])
  totals = sum([...first.files.filter(file => !in_browsers.includes(file)), ...second.files])
  // A file that has vanished from the second report has not been tried.
  ended_well =
    second.ended_well &&
    second.files.length === in_browsers.length &&
    failed_files.length === in_browsers.length
  if (ended_well) console.log(`passed at the second try: ${names.join(', ')}`)
}
// A file that cannot even be loaded, or an error outside any test, fails no test of its own.
if (!ended_well && totals.failed === 0) totals.failed = 1
console.log(`vitest: ${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 ? 0 : 1

interface TestFile {
  name: string
  passed: number
  failed: number
}

async function run(asked: string[]): Promise<{ files: TestFile[]; ended_well: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-tests-'))
  const report = join(folder, 'report.json')
  const options = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(join(root, 'node_modules/.bin/vitest'), [...options, ...asked], {
    cwd: root,
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
    const failed = tests.filter(test => test.status === 'failed').length
    return {
      name: relative(root, name),
      passed: tests.filter(test => test.status === 'passed').length,
      // One that could not be loaded, or whose preparation failed, has no test that failed.
      failed: status === 'failed' ? Math.max(failed, 1) : failed,
    }
  })
}

interface Result {
  name: string
  status: string
  assertionResults: { status: string }[]
}

function sum(files: TestFile[]) {
  return {
    passed: files.reduce((total, file) => total + file.passed, 0),
    failed: files.reduce((total, file) => total + file.failed, 0),
  }
}
