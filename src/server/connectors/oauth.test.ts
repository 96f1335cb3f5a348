import { expect, test } from 'vitest'
import { challengeOf } from './oauth.ts'

test('a challenge is the one of RFC 7636', () => {
  expect(challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')).toBe(
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  )
})
