import type { User } from '#shared/api/people.ts'

/** What somebody is called: by their name, or as they sign in. */
export const nameOf = ({ full_name, username }: Pick<User, 'full_name' | 'username'>) =>
  full_name || (username ?? '')
