import { relative } from 'node:path'
import type { TestSpecification, Vitest } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'
import { kindOf, type Kind } from './kinds.ts'

/** How long a file of the kind takes on the average, in seconds: enough to mix them. */
const USUAL_S: Record<Kind, number> = { browser: 30, process: 10, database: 3, component: 3, unit: 0.5 }
/**
 * What the server's files take before the browser's have something to open: the demo fetches its spend for
 * nearly four minutes, beside three processes.
 */
const HEAD_START_S = 700

/**
 * The browser's files among those of the server, since a browser waits for most of its time and a worker that
 * is killed does not; the longest first, and at the end what is short, so that all processes end together.
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
    const server = [...of('process'), ...of('database')]
    const endS = Math.max(HEAD_START_S, sum(server))
    const mixed = [...spread(server, [0, endS]), ...spread(of('browser'), [HEAD_START_S, endS])]
    return [...mixed.toSorted((one, other) => one.at_s - other.at_s), ...of('component'), ...of('unit')].map(
      ({ spec }) => spec,
    )
  }
}

interface Duration {
  takes_s: number
}

/** Assigns each a start within this period, by how long those before it take. */
function spread<File extends Duration>(files: readonly File[], [from_s, to_s]: [number, number]) {
  const totalS = sum(files)
  let beforeS = 0
  return files.map(file => {
    const at_s = from_s + (beforeS / totalS) * (to_s - from_s)
    beforeS += file.takes_s
    return { ...file, at_s }
  })
}

const sum = (files: readonly Duration[]) => files.reduce((total, { takes_s }) => total + takes_s, 0)
