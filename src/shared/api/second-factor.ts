import { z } from 'zod'
import { Instant } from './list.ts'

/** Six digits of an app, or a recovery code; blanks and dashes between them do not matter. */
export const SignInCode = z.string().trim().min(1).max(100)

const password = z.string().min(1).max(1000)

export const SecondFactor = z.object({
  enabled: z.boolean(),
  since: Instant.nullable(),
  recovery_codes_left: z.number().int(),
  /** By one's role: it cannot be turned off. */
  required: z.boolean(),
})
export type SecondFactor = z.infer<typeof SecondFactor>

/** `code`: of the present factor, where there is one; the new one replaces it once it is confirmed. */
export const BeginSecondFactor = z.strictObject({ password, code: SignInCode.optional() })

/** Both are returned once. */
export const SecondFactorSecret = z.object({
  /** In base32, as apps take it by hand. */
  secret: z.string(),
  /** otpauth://…, for a QR code. */
  uri: z.string(),
  /** A first code confirms it until then. */
  expires_at: Instant,
})
export type SecondFactorSecret = z.infer<typeof SecondFactorSecret>

export const ConfirmSecondFactor = z.strictObject({ code: SignInCode })

/** Returned once; each is valid once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
export type RecoveryCodes = z.infer<typeof RecoveryCodes>

/** For requests that remove the factor or open a way around it. */
export const ProvenAgain = z.strictObject({ password, code: SignInCode })
