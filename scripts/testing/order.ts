import { relative } from 'node:path'
import type { TestSpecification, Vitest } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { kindOf, type Kind } from './kinds.ts'

/** How long a file of the kind takes on the average, in seconds: enough to mix them. */
const USUAL_S: Record<Kind, number> = { browser: 30, process: 10, database: 3, unit: 0.5 }
/** What has to be done before the browser's files have something to open: two minutes of four processes. */
const HEAD_START_S = 400

/**
 * The browser's files among those of the server, since a browser waits for most of its time and a worker that is killed does not; the longest
 * first, and at the end what is short, so that all processes end together.
 */
export class Mixed extends BaseSequencer {
  readonly #root: string

  constructor(vitest: Vitest) {
    super(vitest)
    this.#root = vitest.config.root
  }

  override async sort(specs: TestSpecification[]) {
    // The name of vitest's own method; it changes nothing in place.
    // oxlint-disable-next-line unicorn/no-array-sort
    const sorted = (await super.sort(specs)).map(spec => {
      const kind = kindOf(relative(this.#root, spec.moduleId))
      return { spec, kind, takes_s: USUAL_S[kind] }
    })
    const of = (...kinds: Kind[]) => sorted.filter(({ kind }) => kinds.includes(kind))
    const [browser, server] = [of('browser'), [...of('process'), ...of('database')]]
    return [...mixed(server, browser), ...of('unit')].map(({ spec }) => spec)
  }
}

interface Taking {
  takes_s: number
}

/** Both in their order, so that the second ones begin later and end together with the first. */
function mixed<File extends Taking>(first: readonly File[], second: readonly File[]): File[] {
  const files: File[] = []
  let [done_first, done_second] = [0, 0]
  const rest_first = Math.max(1, sum(first) - HEAD_START_S)
  const share = () => Math.max(0, sum(first.slice(0, done_first)) - HEAD_START_S) / rest_first
  while (done_first < first.length || done_second < second.length) {
    const is_due = sum(second.slice(0, done_second)) / Math.max(1, sum(second)) <= share()
    const has_begun = sum(first.slice(0, done_first)) >= HEAD_START_S || done_first === first.length
    const next = has_begun && is_due ? second[done_second] : undefined
    if (next) done_second += 1
    const file = next ?? first[done_first++] ?? second[done_second++]
    if (file) files.push(file)
  }
  return files
}

const sum = (files: readonly Taking[]) => files.reduce((total, { takes_s }) => total + takes_s, 0)
