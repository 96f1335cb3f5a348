import { expect, it } from 'vitest'
import { externalName, isNamedFor } from './audience-names.ts'

const target = (name: string, tag = 'lta-5-31') => ({
  part: { part: 'email', columns: ['email' as const] },
  audience: {
    name,
    description: '',
    tag,
    collected_by: 'advertiser' as const,
    consent: { ad_user_data: 'granted' as const, ad_personalization: 'granted' as const },
    window_days: 540,
  },
})

it('ends with the part and the tag, however long the name is', () => {
  expect(externalName(target('Aurora VIP 2026'), 120)).toBe('Aurora VIP 2026 (email, lta-5-31)')
  const long = externalName(target('名'.repeat(120)), 120)
  expect([long.length, long.endsWith('名 (email, lta-5-31)')]).toEqual([120, true])
})

it('cuts no character in half', () => {
  const ending = ' (email, lta-5-31)'
  const faces = externalName(target('🎯'.repeat(60)), ending.length + 3)
  expect(faces).toBe(`🎯${ending}`)
})

it('is known by its ending, whatever it has been renamed to', () => {
  const named = externalName(target('VIP'), 120)
  expect(isNamedFor(target('Renamed'), named)).toBe(true)
  expect(isNamedFor(target('VIP', 'lta-5-3'), named)).toBe(false)
})
