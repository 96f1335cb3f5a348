import { useNavigate, useSearch } from '@tanstack/react-router'
import { usersSearch, type UsersSearch } from './search.ts'

/** A value of undefined takes the field out of the address. */
type Change = { [Field in keyof UsersSearch]?: UsersSearch[Field] | undefined }

/**
 * What the list shows, all of it in the address. A change goes back to the first page unless it names one.
 */
export function useView() {
  const view = useSearch({ from: '/shell/setting/users' })
  const navigate = useNavigate({ from: '/setting/users' })
  const change = (changed: Change) =>
    void navigate({
      search: current => usersSearch({ ...current, page: 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

export const isFiltered = ({ search, department, is_active }: UsersSearch) =>
  search !== '' || department !== undefined || is_active !== undefined
