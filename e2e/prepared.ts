import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { inject } from 'vitest'
import { z } from 'zod'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of what is built before the browsers start. */
    prepared: string
  }
}

/** The file whose existence says that everything is there. */
export const PREPARED = 'prepared.json'
const Prepared = z.object({
  /** The folder of the gallery; there only when a file needs it. */
  gallery: z.string(),
  /**
   * The demo, if there are many files: its data folder, and a database like the one in there on a server that
   * runs.
   */
  demo: z.object({ folder: z.string(), database: z.string() }).optional(),
  problem: z.string().optional(),
})
export type Prepared = z.infer<typeof Prepared>

/** Waits for the build, and returns where it is. */
export async function untilPrepared(): Promise<Prepared> {
  const note = join(inject('prepared'), PREPARED)
  while (!existsSync(note)) await sleep(100)
  const prepared = Prepared.parse(JSON.parse(readFileSync(note, 'utf8')))
  if (prepared.problem !== undefined)
    throw new Error(`nothing could be prepared for the browser: ${prepared.problem}`)
  return prepared
}
