import { perVisit } from './per-visit.ts'

const drawn = perVisit(() => ({ at_ms: null as number | null }))

/** The moment, in milliseconds since 1970, whose times the server has drawn. */
export function drawnAt(at_ms: number): void {
  drawn().at_ms = at_ms
}

/** Now; for what the server has drawn, the moment at which it did. */
export const drawnNow = (): number => drawn().at_ms ?? Date.now()
