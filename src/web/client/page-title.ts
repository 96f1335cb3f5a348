import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { perVisit } from '#web/visit/per-visit.ts'
import { createStore } from './store.ts'

/** The last part of the breadcrumb where it is the name of a thing; null: the route's own. */
export const crumbName = createStore<string | null>(null)

/** As the page was last drawn, for the server, where nothing happens after that. */
export const drawnTitle = perVisit(() => ({ text: '' }))

/**
 * Sets the browser's title; with `asCrumb` also the last part of the breadcrumb, for pages about one named
 * thing.
 */
export function usePageTitle(title: string, asCrumb = false) {
  const { t } = useTranslation('app')
  const text = t('page_title', { title })
  drawnTitle().text = text
  useEffect(() => {
    document.title = text
    // The page is the last part of what the server has drawn.
    globalThis.takenOver?.()
  }, [text])
  useEffect(() => {
    if (!asCrumb) return undefined
    crumbName.set(title)
    return () => crumbName.set(null)
  }, [title, asCrumb])
}
