import { z } from 'zod'

/** One of these accounts, stored as its id. */
export const accountById = <Account extends { id: string }>(accounts: readonly Account[]) =>
  z.codec(z.string(), z.custom<Account>(), {
    decode(id, context) {
      const account = accounts.find(each => each.id === id)
      if (account) return account
      context.issues.push({ code: 'custom', input: id, message: 'no account' })
      return z.NEVER
    },
    encode: ({ id }) => id,
  })
