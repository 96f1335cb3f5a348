import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { median } from '#server/testing/quantile.ts'
import { YOUNG_GENERATION } from '#server/workers/worker-process.ts'
import type { BenchCase, BenchTable, Prepared } from './case.ts'

// npm run bench [-- suite …]: every case of bench/*.ts beside its floor, in processes of their own, in turn.
// `connector` means every connector-…; `click:1` only the first case of a suite, its tables after its cases.

const ROUNDS = 5

interface Measured {
  ours_ms: number
  floor_ms: number
}

if (process.argv[2] === '--child') await runChild(process.argv.slice(3))
else await main(process.argv.slice(2))

async function main(ids: string[]) {
  for (const suite of suiteNames()) {
    const named = ids.filter(id => `${suite}-`.startsWith(`${id.replace(/:\d+$/, '')}-`))
    if (ids.length > 0 && named.length === 0) continue
    const isNamed = (nth: number) =>
      ids.length === 0 || named.some(id => !/:\d+$/.test(id) || id.endsWith(`:${nth}`))
    const { cases, tables } = await load(suite)
    for (const [index, bench] of cases.entries()) if (isNamed(index + 1)) await printCase(suite, index, bench)
    for (const [index, table] of tables.entries()) {
      if (!isNamed(cases.length + index + 1)) continue
      const rows = await child<Record<string, string>[]>([suite, index, 0, 'table'])
      console.log(`\n${table.id} ${table.what}`)
      console.table(rows)
    }
  }
}

function suiteNames(): string[] {
  return readdirSync(import.meta.dirname)
    .filter(file => file.endsWith('.ts') && !['main.ts', 'case.ts'].includes(file))
    .map(file => file.replace(/\.ts$/, ''))
    .toSorted()
}

/** Files without either are helpers of others. */
async function load(suite: string): Promise<{ cases: BenchCase[]; tables: BenchTable[] }> {
  const module: { cases?: BenchCase[]; tables?: BenchTable[] } = await import(`./${suite}.ts`)
  return { cases: module.cases ?? [], tables: module.tables ?? [] }
}

async function printCase(suite: string, index: number, bench: BenchCase) {
  const rows: Record<string, string>[] = []
  let before: { size: number; ours_ms: number } | null = null
  for (const size of bench.sizes) {
    const { ours_ms, floor_ms } = await child<Measured>([suite, index, size, 'time'])
    const { megabytes } = await child<{ megabytes: number }>([suite, index, size, 'memory'])
    const ratio = ours_ms / floor_ms
    const isBinding = bench.binding?.includes(size) ?? true
    rows.push({
      [bench.unit]: size.toLocaleString('en'),
      [`${bench.unit}/s`]: Math.round(size / (ours_ms / 1000)).toLocaleString('en'),
      ours: milliseconds(ours_ms),
      floor: milliseconds(floor_ms),
      ratio: verdict(ratio, 2, isBinding ? bench.reach.ratio : undefined),
      'peak MB': verdict(megabytes, 0, isBinding ? bench.reach.megabytes : undefined),
      growth: before
        ? `× ${(ours_ms / before.ours_ms).toFixed(1)} for × ${(size / before.size).toFixed(0)}`
        : '',
    })
    before = { size, ours_ms }
  }
  const { ratio, megabytes } = bench.reach
  const reach = [
    ...(ratio === undefined ? [] : [`≤ ${ratio} × the floor`]),
    ...(megabytes === undefined ? [] : [`≤ ${megabytes} MB`]),
  ]
  console.log(`\n${bench.id} ${bench.what} (${reach.join(', ')})`)
  console.table(rows)
}

function milliseconds(ms: number): string {
  return ms < 10_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1000).toFixed(1)} s`
}

function verdict(figure: number, digits: number, most: number | undefined): string {
  return `${figure.toFixed(digits)}${most !== undefined && figure > most ? ' (!)' : ''}`
}

/** Runs one measurement in a fresh process and answers what it prints last. */
async function child<T>(job: (string | number)[]): Promise<T> {
  // Tables are made in worker processes, with their young generation.
  const flags = ['--expose-gc', YOUNG_GENERATION, ...process.execArgv]
  const args = [...flags, import.meta.filename, '--child', ...job.map(String)]
  const started = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const [code] = await once(started, 'close')
  if (code !== 0) throw new Error(`${job.join(' ')} ended with ${code}`)
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '')
}

async function runChild([suite = '', index = '', size = '', mode = '']: string[]) {
  const { cases, tables } = await load(suite)
  if (mode === 'table') {
    console.log(JSON.stringify(await tables[Number(index)]?.measure()))
    // What a browser or a server leaves open is no reason to wait.
    process.exit()
  }
  const bench = cases[Number(index)]
  if (!bench) throw new Error(`no case ${index} in ${suite}`)
  const prepared = await bench.prepare(Number(size))
  const result = mode === 'time' ? await timed(prepared) : await weighed(prepared)
  await prepared.stop?.()
  console.log(JSON.stringify(result))
}

/** Floor and ours alternate, so that a busy machine affects both; a first round warms up. */
async function timed({ ours, floor }: Prepared): Promise<Measured> {
  const times = { ours: [] as number[], floor: [] as number[] }
  for (let round = 0; round <= ROUNDS; round++) {
    const floorMs = await clocked(floor)
    const oursMs = await clocked(ours)
    if (round === 0) continue
    times.floor.push(floorMs)
    times.ours.push(oursMs)
  }
  return { ours_ms: median(times.ours), floor_ms: median(times.floor) }
}

async function clocked(work: () => unknown): Promise<number> {
  globalThis.gc?.()
  const started = performance.now()
  const result = await work()
  return typeof result === 'number' ? result : performance.now() - started
}

/** Peak of the whole process, Node itself and the input included. */
async function weighed({ ours }: Prepared): Promise<{ megabytes: number }> {
  await ours()
  return { megabytes: process.resourceUsage().maxRSS / 1024 }
}
