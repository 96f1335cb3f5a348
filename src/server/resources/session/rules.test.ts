import { describe, expect, it } from 'vitest'
import { commonPasswords } from './common-passwords.ts'
import { whyNotPassword } from './rules.ts'

const whyNot = (password: string, ...names: string[]) =>
  whyNotPassword(password, { common: commonPasswords, names })

describe('a password', () => {
  it('has at least twelve characters, counted as a person counts them', () => {
    expect(whyNot('elevenchars', 'anna')).toBe('password_too_short')
    expect(whyNot('🐎🔋📎✅🐎🔋📎✅🐎🔋📎', 'anna')).toBe('password_too_short')
    expect(whyNot('twelve chars', 'anna')).toBeNull()
  })

  it.each([
    'password1234',
    'Password2024!',
    'P@ssw0rd2024',
    'p4ssw0rd!!!!',
    '!!!PASSWORD!!!',
    'qwertyuiop123',
    '1qwertyuiop1',
    'iloveyou2024!',
    'letmein12345',
    'welcome123456',
    'administrator',
    '123456789012',
    '098765432109',
    'abcdefghijkl',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    '121212121212',
    '000000000000',
    'sheetcast2024',
    'Sheetcast-Demo1',
    'correct horse battery staple',
    'google-sheets-1',
    '1q2w3e4r5t6y',
    '............',
    '198703121990',
  ])('that many people have is refused: %s', password => {
    expect(whyNot(password, 'anna')).toBe('password_too_common')
  })

  it('made of the account name alone is refused', () => {
    expect(whyNot('annabelle2024', 'AnnaBelle')).toBe('password_too_common')
  })

  it.each([
    'a phrase of my own',
    'correct battery horse 9',
    'Xk9#mQ2$vL7!',
    '我的密碼是一句很長的話喔',
    'sunshine over the harbour',
    'passwords are tiring',
    '58209471630284719536',
  ])('made of one’s own words is accepted: %s', password => {
    expect(whyNot(password, 'anna')).toBeNull()
  })
})
