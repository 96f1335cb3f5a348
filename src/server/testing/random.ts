import { createHash } from 'node:crypto'

/**
 * The seed of the random tests of this run. A run that fails prints it; `SEED=… npm run tests -- FILE`
 * repeats it.
 */
export const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))

/** Numbers from 0 up to 1, the same ones for the same seed: mulberry32. */
export type Random = () => number

export function randomOf(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Whole numbers from 0 up to a limit, the same ones for the same seed. */
export function randomBelow(seed: number): (limit: number) => number {
  const random = randomOf(seed)
  return limit => Math.floor(random() * limit)
}

/**
 * The quick form of many expensive cases: one in `one_in`, at least one, drawn by the seed of the run, so
 * that several runs cover them all; the long form has them all at once. `about` distinguishes draws: the same
 * fault need not meet the same request everywhere.
 */
export function drawn<Case>(cases: readonly Case[], oneIn: number, about: string): Case[] {
  if (process.env.LONG) return [...cases]
  const random = randomOf(SEED ^ hashOf(about))
  const draws = cases.map(() => random())
  const last = draws.toSorted((one, other) => one - other)[Math.ceil(cases.length / oneIn) - 1] ?? 0
  return cases.filter((_, index) => (draws[index] ?? 1) <= last)
}

/** The same for a single case: whether it is in the sample of one in `one_in`. */
export function isDrawn(oneIn: number, about: string): boolean {
  return Boolean(process.env.LONG) || randomOf(SEED ^ hashOf(about))() < 1 / oneIn
}

const hashOf = (text: string) => createHash('sha1').update(text).digest().readInt32LE()
