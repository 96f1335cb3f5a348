/** What belongs to one visit: in a browser the page's whole life, on the server one rendering. */
export type Visit = Map<symbol, unknown>

let current: () => Visit = own(new Map())

/** The server renders several people's pages in one process, each in a visit of its own. */
export function setVisits(now: () => Visit): void {
  current = now
}

/**
 * State of a module, made anew in each visit. Nothing else in the web part may hold what one person sees in
 * a variable of a module (module-state.test.ts).
 */
export function perVisit<Made>(make: () => Made): () => Made {
  const key = Symbol('state')
  return () => {
    const visit = current()
    if (!visit.has(key)) visit.set(key, make())
    return visit.get(key) as Made
  }
}

function own(visit: Visit) {
  return () => visit
}
