import { z } from 'zod'
import { Id } from './list.ts'

export const SignIn = z.strictObject({
  username: z.string().min(1).max(150),
  password: z.string().min(1).max(1000),
})
export const TokenPair = z.object({ access: z.string(), refresh: z.string(), user_id: Id })

/** Without `refresh` the cookie is used, which the browser sends by itself. */
export const Refresh = z.strictObject({ refresh: z.string().max(4000).optional() })
export const RefreshReply = z.object({ access: z.string(), refresh: z.string() })

export const SignOut = z.strictObject({ everywhere: z.boolean().default(false) })

export const SetPassword = z.strictObject({
  token: z.string().min(20).max(200),
  password: z.string().max(1000),
})

/** Names of the cookies, all with path `/`. */
export const cookies = {
  /** The access token; readable by the page, which sends it as a bearer header. */
  access: 'access_token',
  /** The refresh token; HttpOnly. */
  refresh: 'refresh_token',
  /** Only the refresh token's `exp` claim, in seconds, so that the page can judge it. */
  refresh_expiry: 'refresh_token_exp',
} as const
