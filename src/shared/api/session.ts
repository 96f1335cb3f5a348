import { z } from 'zod'
import { Id } from './list.ts'
import { SignInCode } from './second-factor.ts'

export const SignIn = z.strictObject({
  username: z.string().min(1).max(150),
  password: z.string().min(1).max(1000),
  /** Of the second factor: asked for (`second_factor_required`) after the right password. */
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

export { cookies } from '../session-cookies.ts'
