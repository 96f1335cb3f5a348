import { readFileSync } from 'node:fs'
import { TIMES, type TestedFile } from './totals.ts'

// Prints where the time of the last run of tests went, as a table for docs/performance.md: `node
// scripts/testing/times.ts`.

/** Files that take less are summed up in one line. */
const WORTH_A_LINE_S = 20

const files: TestedFile[] = JSON.parse(readFileSync(TIMES, 'utf8'))
const rows = files
  .map(({ name, times }) => {
    const { starting = 0, whole = 0, computing = 0 } = times ?? {}
    return { name: `\`${name}\``, whole, starting, waiting: Math.max(0, whole - computing), computing }
  })
  .toSorted((one, other) => other.whole - one.whole)
const worth = rows.filter(({ whole }) => whole >= WORTH_A_LINE_S)
const rest = rows.filter(({ whole }) => whole < WORTH_A_LINE_S)

type Row = (typeof rows)[number]
const summed = (name: string, of: readonly Row[]): Row => ({
  name,
  whole: sum(of.map(row => row.whole)),
  starting: sum(of.map(row => row.starting)),
  waiting: sum(of.map(row => row.waiting)),
  computing: sum(of.map(row => row.computing)),
})

console.log('| file | whole | starting | waiting | computing |\n|---|---|---|---|---|')
for (const { name, whole, starting, waiting, computing } of [
  ...worth,
  summed(`the other ${rest.length}`, rest),
  summed('all', rows),
])
  console.log(`| ${[name, ...[whole, starting, waiting, computing].map(formatSeconds)].join(' | ')} |`)

function formatSeconds(seconds: number): string {
  return seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
