import type { World } from '../connector.ts'
import { testWorld } from '../testing.ts'

export const NOW = '2026-11-21T04:00:00Z'

export interface RecordedWorld {
  world: World
  /** Codes of the notes, in their order. */
  notes: string[]
  /** What was sent as JSON, by the end of its path. */
  sent: (path: string) => { operand?: Record<string, unknown>[]; reportOption?: Record<string, unknown> }[]
}

/** A world that remembers what was said to the platform and of it. */
export function recordedWorld(base_url: string, changes: Partial<World> = {}): RecordedWorld {
  const notes: string[] = []
  const bodies: { path: string; body: unknown }[] = []
  const world: World = {
    ...testWorld(base_url, NOW),
    note: ({ code }) => void notes.push(code),
    ...changes,
  }
  return {
    world: {
      ...world,
      fetch: (input, init) => {
        const path = URL.parse(String(input))?.pathname ?? ''
        if (typeof init?.body === 'string') bodies.push({ path, body: JSON.parse(init.body) })
        return world.fetch(input, init)
      },
    },
    notes,
    sent: path =>
      bodies.flatMap(({ path: asked, body }) =>
        asked.endsWith(path) ? [body as Record<string, never>] : [],
      ),
  }
}
