import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { imagesSearch, layouts, type ImagesSearch, type Layout } from './search.ts'

const STORAGE_KEY = 'sheetcast.images_layout'

/** Neither opening one beside the list nor drawing it another way leaves its page. */
const beside = ['image', 'layout']

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useImagesView() {
  const view = useSearch({ from: '/shell/material/image' })
  const navigate = useNavigate({ from: '/material/image' })
  const change = (changed: Change<ImagesSearch>) => {
    if (changed.layout) localStorage.setItem(STORAGE_KEY, changed.layout)
    const isBeside = Object.keys(changed).every(field => beside.includes(field))
    void navigate({
      search: current => imagesSearch({ ...current, ...(!isBeside && { page: 1 }), ...changed }),
      replace: 'search' in changed,
      resetScroll: !isBeside,
    })
  }
  return { view, layout: view.layout ?? storedLayout(), change }
}

/** The one that was chosen last in this browser. */
const storedLayout = (): Layout =>
  layouts.find(layout => layout === localStorage.getItem(STORAGE_KEY)) ?? layouts[0]
