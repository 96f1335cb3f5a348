import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach } from 'vitest'

/** What a test file took of the process that ran it and of those it started, in seconds. */
export interface FileTimes {
  /** From its first preparation to its first test. */
  starting: number
  /** From its first preparation to the end. */
  whole: number
  /** Processor time; of child processes only when they have ended, and only on Linux. */
  computing: number
}

declare module 'vitest' {
  interface TaskMeta {
    times?: FileTimes
  }
}

// Loaded before each file: the hooks surround all of its own.
const file: { began: number; spent: number; starting?: number } = { began: 0, spent: 0 }

beforeAll(() => {
  file.began = performance.now()
  file.spent = processorSeconds()
})

beforeEach(() => {
  file.starting ??= secondsSince(file.began)
})

// Vitest passes the suite as the second argument, and requires the first one to be destructured.
// oxlint-disable-next-line no-empty-pattern
afterAll(({}, suite) => {
  const whole = secondsSince(file.began)
  suite.meta.times = { starting: file.starting ?? whole, whole, computing: processorSeconds() - file.spent }
})

function secondsSince(began: number): number {
  return (performance.now() - began) / 1000
}

function processorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + childrenSeconds()
}

/** Of child processes that have ended, which no call of Node reports. */
function childrenSeconds(): number {
  if (process.platform !== 'linux') return 0
  const TICKS_PER_SECOND = 100
  // Behind the name of the program, which may hold blanks; fields 16 and 17 of proc_pid_stat(5).
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND
}
