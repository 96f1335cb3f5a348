import { expect, it } from 'vitest'
import { createPeopleIndex, hashedIdentifier, type MatchingPlatform } from './mail-people.ts'

const HASHES = {
  email: '4a3d6ea8efe61c05163383c13df0765c1afdcb67f90f32259899bae4608dec31',
  phone: 'ead3be55d068b5cb34de8b901d65c262a208550f76b617eb5e873a8c81f52514',
  phone_e164: '727c407af9346f0908b32635cfac85ff17847c4b8509674c9a83e75ebbd533af',
} as const

it('hashes an e-mail and a phone in every form that platforms take', () => {
  for (const form of ['email', 'phone', 'phone_e164'] as const)
    expect(hashedIdentifier(12_345, form)).toBe(HASHES[form])
})

it('knows at each platform the people whose number ends below its share', () => {
  const people = createPeopleIndex()
  const countOf = (platform: MatchingPlatform, of: number) =>
    Array.from({ length: of }, (_, person) =>
      people.find(platform, 'email', hashedIdentifier(person, 'email')),
    ).filter(person => person !== null).length
  expect(countOf('meta', 5000)).toBe(3500)
  expect(countOf('google', 5000)).toBe(3000)
  expect(countOf('tiktok', 120)).toBe(60)
  expect(countOf('line', 120)).toBe(96)
  expect(people.find('line', 'phone', HASHES.phone)).toBe(12_345)
  expect(people.find('line', 'phone', HASHES.phone_e164)).toBeNull()
  expect(people.find('meta', 'email', '0'.repeat(64))).toBeNull()
})
