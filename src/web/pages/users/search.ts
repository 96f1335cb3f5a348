import { listSearch, type ListSearch } from '#web/client/search.ts'
import type { Raw } from '#web/client/search.ts'

/** The URL parameters of the list of people. */
export interface UsersSearch extends ListSearch {
  department?: number
  /** 0 closed, 1 open */
  is_active?: 0 | 1
}

const read = listSearch(['username', 'full_name', 'created_at'])

export const usersSearch = (raw: Raw): UsersSearch => {
  const { department, is_active } = raw
  return {
    ...read(raw),
    ...(typeof department === 'number' && department >= 1 && department <= 7 && { department }),
    ...((is_active === 0 || is_active === 1) && { is_active }),
  }
}
