import { useEffect } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { createStore } from './store.ts'

/** The last part of the breadcrumb where it is the name of a thing; null: the route's own. */
export const crumbName = createStore<string | null>(null)

/**
 * Sets the browser's title; with `asCrumb` also the last part of the breadcrumb, for pages about one named
 * thing.
 */
export function usePageTitle(title: string, asCrumb = false) {
  const { t } = useTranslation('app')
  useEffect(() => {
    document.title = t('page_title', { title })
    // The page is the last part of what the server has drawn.
    globalThis.takenOver?.()
  }, [t, title])
  useEffect(() => {
    if (!asCrumb) return undefined
    crumbName.set(title)
    return () => crumbName.set(null)
  }, [title, asCrumb])
}
