import { isId, listSearch, type ListSearch } from '#web/client/search.ts'
import type { Raw } from '#web/client/search.ts'

/** The URL parameters of the list of people. */
export interface UsersSearch extends ListSearch {
  department?: number
  /** 1 employee, 2 client */
  user_type?: 1 | 2
  /** 0 basic, 1 advanced */
  plan?: 0 | 1
  /** By the number that a user has as `employment_status`. */
  employment?: number
  /** 0 closed, 1 open */
  is_active?: 0 | 1
  advertiser?: number
  /** Whose account is shown over the list. */
  user?: number
}

const read = listSearch(['username', 'full_name', 'department', 'position', 'created_at'])

export const usersSearch = (raw: Raw): UsersSearch => {
  const { department, user_type, plan, employment, is_active, advertiser, user } = raw
  return {
    ...read(raw),
    ...(isId(department) && department <= 7 && { department }),
    ...((user_type === 1 || user_type === 2) && { user_type }),
    ...((plan === 0 || plan === 1) && { plan }),
    ...([0, 1, 2, 3].some(known => known === employment) && { employment: Number(employment) }),
    ...((is_active === 0 || is_active === 1) && { is_active }),
    ...(isId(advertiser) && { advertiser }),
    ...(isId(user) && { user }),
  }
}
