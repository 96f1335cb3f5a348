import { createElement, lazy as reactLazy, use, useState, type ComponentType } from 'react'
import { perVisit } from './per-visit.ts'

/**
 * A part whose code comes later, as React's. Drawn by the server it is its placeholder: its styles are not
 * among those that the page names.
 */
export const lazy: typeof reactLazy = typeof window === 'undefined' ? () => Never as never : reactLazy

/** What never comes: the server draws the placeholder around it. */
export const Never = () => use(new Promise<never>(() => {}))

/**
 * One that is among the first things of its page: the server draws it as well. `module` is the file within
 * `src/web` whose styles come with it; scripts/page-files.ts lists them.
 */
export function lazyAtFirst<Props extends object>(
  module: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> {
  let loading: ReturnType<typeof load> | undefined
  let loaded: ComponentType<Props> | undefined
  const loadOnce = () =>
    (loading ??= load().then(code => {
      loaded = code.default
      return code
    }))
  const Later = reactLazy(loadOnce)
  loads.set(module, loadOnce)
  return props => {
    firstParts().add(module)
    // React's own would wait for a moment though its code is there.
    const [Part] = useState(() => loaded ?? Later)
    return createElement(Part, props)
  }
}

const loads = new Map<string, () => Promise<unknown>>()

/** Those that a page has, by their modules. */
export const firstParts = perVisit(() => new Set<string>())

/** Waits for their code. Where it cannot be loaded, the part says so once it is drawn. */
export const loadParts = (modules: readonly string[]) =>
  Promise.allSettled(modules.map(module => loads.get(module)?.()))
