import { lazyRouteComponent } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isReached } from '#web/client/reachability.ts'
import { StaleVersion } from '#web/client/stale-version.ts'
import { loadBusinessTexts, loadEditorTexts, loadInnerTexts } from '#web/i18n/i18n.ts'
import type { innerPages } from './inner-pages.ts'

/** A page of its own chunk, with the texts of all of them. */
export function page<Module extends Record<Name, () => ReactNode>, Name extends string>(
  load: (pages: typeof innerPages) => Promise<Module>,
  name: Name,
  loadFurtherTexts?: () => Promise<void>,
) {
  return firstPage(async () => {
    const inner = import('./inner-pages.ts').then(({ innerPages: pages }) => load(pages))
    return (await Promise.all([inner, loadInnerTexts(), loadFurtherTexts?.()]))[0]
  }, name)
}

/** One of customers, campaigns, insertion orders or spending, or one with lines of the audit trail. */
export const businessPage = <Module extends Record<Name, () => ReactNode>, Name extends string>(
  load: (pages: typeof innerPages) => Promise<Module>,
  name: Name,
) => page(load, name, loadBusinessTexts)

/** One that shows a report's settings. */
export const editorPage = <Module extends Record<Name, () => ReactNode>, Name extends string>(
  load: (pages: typeof innerPages) => Promise<Module>,
  name: Name,
) => page(load, name, loadEditorTexts)

/**
 * The same for the pages that are loaded first: their texts are there already (i18n/en-first.ts). A chunk
 * that is gone means that the product was updated under the open page.
 */
export function firstPage<Module extends Record<Name, () => ReactNode>, Name extends string>(
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        await isReached()
        throw new StaleVersion(error)
      }),
    name,
  )
}
