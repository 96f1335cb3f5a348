import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** What a platform has that outlives a restart of the sandbox. */
export interface Remembered {
  /** As JSON. */
  dump(): unknown
  /** Takes over what it has dumped; throws a ZodError for anything else. */
  load(stored: unknown): void
}

export interface Memory {
  /** Gives a platform back what was stored under its name, and stores what it has from now on. */
  attach(name: string, part: Remembered): void
  /** Something may be different: it is stored within a second. */
  touch(): void
  /** Stores what is different now, and nothing afterwards. */
  close(): void
}

const STORES_AFTER_MS = 1000

/** `file`: where it is stored; null: nowhere. */
export function openMemory(file: string | null = null): Memory {
  const stored = file !== null && existsSync(file) ? read(file) : {}
  const parts = new Map<string, Remembered>()
  let written = ''
  let waiting: NodeJS.Timeout | null = null

  const store = () => {
    waiting = null
    if (file === null || parts.size === 0) return
    const text = JSON.stringify(Object.fromEntries([...parts].map(([name, part]) => [name, part.dump()])))
    if (text === written) return
    // A process that is killed meanwhile leaves the old file or the new one.
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    written = text
  }
  return {
    attach(name, part) {
      parts.set(name, part)
      if (Object.hasOwn(stored, name)) loadInto(part, stored[name])
    },
    touch() {
      if (file !== null) waiting ??= setTimeout(store, STORES_AFTER_MS).unref()
    },
    close() {
      if (waiting !== null) clearTimeout(waiting)
      store()
      parts.clear()
    },
  }
}

const Stored = z.record(z.string(), z.unknown())

function read(file: string): z.infer<typeof Stored> {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {}
    throw error
  }
}

/** What another version has stored is forgotten. */
function loadInto(part: Remembered, stored: unknown) {
  try {
    part.load(stored)
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
  }
}

/** Dumps and loads what a schema writes and reads. */
export const rememberedAs = <Schema extends z.ZodType>(
  schema: Schema,
  { get, set }: { get: () => z.output<Schema>; set: (value: z.output<Schema>) => void },
): Remembered => ({
  dump: () => z.encode(schema, get()),
  load: stored => set(z.parse(schema, stored)),
})

/** What several parts of a platform have. */
export const together = (parts: Record<string, Remembered>): Remembered => ({
  dump: () => Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, part.dump()])),
  load(stored) {
    const values = Stored.parse(stored)
    for (const [name, part] of Object.entries(parts)) part.load(values[name])
  },
})
