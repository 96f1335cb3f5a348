import { z } from 'zod'
import { Id, Instant, listOf, listQuery } from './list.ts'
import { SignInCode } from './second-factor.ts'

export const SignIn = z.strictObject({
  username: z.string().min(1).max(150),
  password: z.string().min(1).max(1000),
  /** Of the second factor: requested (`second_factor_required`) after the right password. */
  code: SignInCode.optional(),
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

/** An active session of one's own. Its id names it and opens nothing. */
export const SignInSession = z.object({
  id: z.uuid(),
  created_at: Instant,
  /** When it was last renewed; the access token lasts ten minutes beyond. */
  last_used_at: Instant,
  /** When it ends by itself, however it is used. */
  ends_at: Instant,
  /** Where the person signed in from; null for a sign-in from before this was noted. */
  address: z.string().nullable(),
  /** As in "Firefox", and "Windows"; null when the program does not say. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The session of this request. */
  is_current: z.boolean(),
})
export type SignInSession = z.infer<typeof SignInSession>
export const SessionQuery = listQuery(['created_at', 'last_used_at'], '-last_used_at').omit({ search: true })
export const SessionList = listOf(SignInSession)
export type SessionList = z.infer<typeof SessionList>
