import { useNavigate, useSearch } from '@tanstack/react-router'
import { supportSearch, type SupportSearch } from './search.ts'

/** A value of undefined takes the field out of the address. */
type Change = { [Field in keyof SupportSearch]?: SupportSearch[Field] | undefined }

/** What the page shows, all of it in the address. A change of what is listed goes back to the first page. */
export function useView() {
  const view = useSearch({ from: '/shell/support' })
  const navigate = useNavigate({ from: '/support' })
  const change = (changed: Change) =>
    void navigate({
      search: current => supportSearch({ ...current, ...(isListing(changed) && { page: 1 }), ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

const isListing = (changed: Change) => 'search' in changed || 'status' in changed || 'ordering' in changed
