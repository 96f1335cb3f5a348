import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Change } from '#web/client/search.ts'
import { usersSearch, type UsersSearch } from './search.ts'

/** What the list shows, all of it in the URL. A change goes back to the first page unless it names one. */
export function useView() {
  const view = useSearch({ from: '/shell/setting/users' })
  const navigate = useNavigate({ from: '/setting/users' })
  const change = (changed: Change<UsersSearch>) =>
    void navigate({
      search: current => usersSearch({ ...current, page: 'user' in changed ? current.page : 1, ...changed }),
      replace: 'search' in changed,
    })
  return { view, change }
}

export const NO_FILTERS = {
  search: '',
  department: undefined,
  user_type: undefined,
  plan: undefined,
  employment: undefined,
  is_active: undefined,
  advertiser: undefined,
} as const

export const isFiltered = ({
  search,
  page: _page,
  ordering: _ordering,
  user: _user,
  ...filters
}: UsersSearch) => search !== '' || Object.values(filters).some(value => value !== undefined)
