import { describe, expect, it } from 'vitest'
import { errorText } from '#shared/error-texts.ts'
import { errorsEn } from '#shared/errors-en.ts'
import { errorsZhTW } from '#shared/errors-zh-TW.ts'
import { errorFacts, errors, isErrorCode } from '#shared/errors.ts'
import { errors as en } from '#web/i18n/en/errors.ts'
import { errors as zh } from '#web/i18n/zh-TW/errors.ts'
import { runOffers } from './run-offers.ts'

/**
 * The codes that a run can end with or wait for: all that are neither a refused request nor about one of its
 * fields.
 */
const codes = Object.keys(errors)
  .filter(isErrorCode)
  .filter(code => errorFacts(code).offer !== 'none')

describe.each(codes)('a run that meets %s', code => {
  const { offer, retried } = errorFacts(code)

  it.each(['internal', 'external'] as const)('says so to %s people in both languages', audience => {
    for (const texts of [errorsEn, errorsZhTW]) {
      expect(errorText(texts, code, audience)).toMatch(/[.。]$/)
      expect(errorText(texts, code, audience)).not.toContain(code)
    }
  })

  it('has a button for what it offers, or goes on by itself', () => {
    const action = runOffers[offer]
    expect(action !== null || retried).toBe(true)
    for (const words of [en, zh])
      expect(Object.entries(words.offer)).toContainEqual([offer, expect.any(String)])
  })
})

describe('what only clients see', () => {
  it.each(['channel_no_data', 'account_access_lost', 'credential_expired', 'credential_missing'] as const)(
    '%s sends them to their service specialist, and the agency’s own people to the instructions',
    code => {
      expect(errorText(errorsEn, code, 'external')).toContain('service specialist')
      expect(errorText(errorsEn, code, 'internal')).not.toContain('service specialist')
    },
  )
})
