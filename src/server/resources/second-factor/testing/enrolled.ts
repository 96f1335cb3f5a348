import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { RecoveryCodes, SecondFactorSecret } from '#shared/api/second-factor.ts'
import { callerOf, type PersonFacts, type TestApi } from '#server/http/testing/api.ts'

export const PASSWORD = 'correct battery horse 9'

/** The code of an app for this secret at that time. */
export const codeAt = (secret: string, at: Date): string =>
  TOTP.generate({
    secret: Secret.fromBase32(secret),
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    timestamp: at.getTime(),
  })

/** A person with a second factor whose last code was used: the clock goes on to the next one. */
export async function enrolled(api: TestApi, identity: IdentityName = 'staff', facts: PersonFacts = {}) {
  const person = await api.signedIn(identity, { password: PASSWORD, ...facts })
  const setup = await person.post('/api/second-factor/', { password: PASSWORD })
  expect(setup.status).toBe(201)
  const { secret } = SecondFactorSecret.parse(setup.body)
  const code = () => codeAt(secret, api.clock.now)
  const confirmed = await person.post('/api/second-factor/confirm/', { code: code() })
  expect(confirmed.status).toBe(200)
  nextStep(api)
  return {
    ...person,
    secret,
    code,
    recovery_codes: RecoveryCodes.parse(confirmed.body).recovery_codes,
    signIn: (typed?: string, password = PASSWORD) =>
      callerOf(api.origin, {}).post('/api/token/', {
        username: person.user.username,
        password,
        ...(typed !== undefined && { code: typed }),
      }),
  }
}

/** The start of the next code. */
export function nextStep({ clock }: { clock: { now: Date } }) {
  clock.now = new Date(clock.now.getTime() + 30_000)
}
