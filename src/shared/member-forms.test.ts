import { createHash } from 'node:crypto'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { describe, expect, it } from 'vitest'
import { randomBelow, SEED } from '#server/testing/random.ts'
import {
  birthForm,
  birthYearForm,
  countryForm,
  emailForm,
  genderForm,
  googleEmailForm,
  isConsent,
  nameForm,
  phoneForm,
  postalCodeForm,
} from './member-forms.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('an e-mail address', () => {
  it.each([
    [
      'mary@example.com',
      'mary@example.com',
      'f1904cf1a9d73a55fa5de0ac823c4403ded71afd4c3248d00bdcd0866552bb79',
    ],
    [
      'janedoe@gmail.com',
      'janedoe@gmail.com',
      'd6117306485ed0e50afab3ac871e98f81699151f30281527d63ff5f233656c69',
    ],
    [
      '  Alice.Wu+VIP@Gmail.com ',
      'alice.wu+vip@gmail.com',
      '32c6b195a692b927d191f698defcc128894522cabc370da94d0ce021a7e48f2c',
    ],
    [
      'User.Name+NYC@Example.com',
      'user.name+nyc@example.com',
      'f109a2a632fbcea5fc82049f50beed3d8621bf9034399f437fb622222acccdac',
    ],
    [
      'person.12345@mail.demo',
      'person.12345@mail.demo',
      '4a3d6ea8efe61c05163383c13df0765c1afdcb67f90f32259899bae4608dec31',
    ],
  ])('%j is hashed as %s', (text, form, hash) => {
    expect(emailForm(text)).toBe(form)
    expect(sha256(form)).toBe(hash)
  })

  it.each([
    ['alice.wu+vip@gmail.com', 'alicewu@gmail.com'],
    ['user.name+nyc@example.com', 'user.name+nyc@example.com'],
    ['a.b+c@googlemail.com', 'ab@googlemail.com'],
  ])('%s is for Google %s', (email, form) => expect(googleEmailForm(email)).toBe(form))

  it('is for Google hashed without what Gmail ignores', () => {
    expect(sha256(googleEmailForm('alice.wu+vip@gmail.com'))).toBe(
      'fa3b5d314539685cbb7856e69417f0639ce19f60ebabf956650cfbda0d877aad',
    )
  })

  it.each([
    ['ｍａｒｙ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'mary@example.com'],
    ['mary@\u200bexample.com', 'mary@example.com'],
    ['mary @ example.com\t', 'mary@example.com'],
    ['王@例え.jp', '王@例え.jp'],
  ])('%j has nothing full-width, invisible or blank', (text, form) => expect(emailForm(text)).toBe(form))

  it.each([
    '',
    'mary',
    'mary@example',
    '@example.com',
    'mary@@example.com',
    'a@b@example.com',
    'mary@.com',
    'mary,bob@example.com',
    `${'x'.repeat(65)}@example.com`,
    `mary@${'x'.repeat(260)}.com`,
  ])('%j is none', text => expect(emailForm(text)).toBeNull())
})

describe('a phone number', () => {
  it.each([
    ['０９１２-345-678', 'TW', '+886912345678'],
    ['0912345678', 'TW', '+886912345678'],
    ['912345678', 'TW', '+886912345678'],
    ['+886 (0)912 345 678', 'JP', '+886912345678'],
    ['\u202a+886912345678\u202c', 'US', '+886912345678'],
    ['02-2345-6789', 'TW', '+886223456789'],
    ['090-1234-5678', 'JP', '+819012345678'],
    ['+81 90 1234 5678', 'TW', '+819012345678'],
    ['(212) 555-0123', 'US', '+12125550123'],
    ['+12125550123', 'nowhere', '+12125550123'],
  ])('%j in %s is %s', (text, country, form) => expect(phoneForm(text, country)).toBe(form))

  it('is hashed with its plus and without it', () => {
    const number = phoneForm('０９１２-345-678', 'TW') ?? ''
    expect(sha256(number.slice(1))).toBe('cf676475cec2ee7b7591f39bdefe7ef3dca63b14c1cdba3b19ce4219cbda2b09')
    expect(sha256(number)).toBe('1315ec4a63ba3d2b8f5db63688770e89a402ee623ef33e4c8c2f36e48f271be0')
    expect(sha256((phoneForm('090-1234-5678', 'JP') ?? '').slice(1))).toBe(
      '0ad07193350775c6d4377f8b039d32877e66c69a454ed886b05279771c0fca0b',
    )
    // What Meta prints as its example: of no real number.
    expect(sha256('15559876543')).toBe('1ef970831d7963307784fa8688e8fce101a15685d62aa765fed23f3a2c576a4e')
    const person = phoneForm('+886910012345', 'TW') ?? ''
    expect(sha256(person.slice(1))).toBe('ead3be55d068b5cb34de8b901d65c262a208550f76b617eb5e873a8c81f52514')
    expect(sha256(person)).toBe('727c407af9346f0908b32635cfac85ff17847c4b8509674c9a83e75ebbd533af')
  })

  it.each([
    ['090-1234-5678', 'TW'],
    ['15559876543', 'US'],
    ['0912345678/0922345678', 'TW'],
    ['8.86912E+11', 'TW'],
    ['0912345678', 'nowhere'],
    ['none', 'TW'],
    ['', 'TW'],
  ])('%j in %s is none', (text, country) => expect(phoneForm(text, country)).toBeNull())

  it('is the one that the library finds, also where it is not asked', () => {
    const below = randomBelow(SEED)
    const digits = (count: number) => Array.from({ length: count }, () => below(10)).join('')
    const numbers = Array.from({ length: 500 }, () =>
      [`09${digits(8)}`, `9${digits(8)}`, `+8869${digits(8)}`].concat([
        `0${7 + below(3)}0${digits(8)}`,
        `+81${digits(10)}`,
        `0${digits(9)}`,
      ]),
    ).flat()
    for (const country of ['TW', 'JP'] as const) {
      for (const number of numbers) {
        const parsed = parsePhoneNumberFromString(number, country)
        expect([number, phoneForm(number, country)]).toEqual([
          number,
          parsed?.isValid() === true ? parsed.number : null,
        ])
      }
    }
  })
})

describe('what narrows a person down', () => {
  it('is a name in any script, without punctuation', () => {
    expect(nameForm('小明')).toBe('小明')
    expect(sha256('小明')).toBe('df3ea25a4369305a82412d479a21bd5e2d60e256d4160728e21faeb2806cde3f')
    expect(nameForm(" O'Neil-Smith ")).toBe('oneilsmith')
    expect(nameForm('・')).toBeNull()
    expect(nameForm('x'.repeat(301))).toBeNull()
  })

  it.each(['1990-01-02', '1990/1/2', '1990.1.2', '19900102', '1990年1月2日', '1990-01-02 00:00:00'])(
    'is a birthday: %s',
    text => expect(birthForm(text)).toEqual({ birth_year: '1990', birth_month: '01', birth_day: '02' }),
  )

  it.each(['02/01/1990', '1990-13-01', '1890-01-01', '90-1-1', '', '1990'])('is no birthday: %j', text =>
    expect(birthForm(text)).toBeNull(),
  )

  it('is a year, a gender, a postal code, a country', () => {
    expect([birthYearForm('1990年'), birthYearForm('90')]).toEqual(['1990', null])
    expect(['男', 'Male', 'M', '女性', 'f', '其他', ''].map(genderForm)).toEqual([
      'm',
      'm',
      'm',
      'f',
      'f',
      null,
      null,
    ])
    expect(postalCodeForm(' SW1A 1AA', 'GB')).toBe('sw1a1aa')
    expect(postalCodeForm('94025-1234', 'US')).toBe('94025')
    expect(postalCodeForm('〒150-0001', 'JP')).toBe('150-0001')
    expect(postalCodeForm('', 'TW')).toBeNull()
    expect(['TW', '台灣', 'Japan', 'xx', ''].map(countryForm)).toEqual(['tw', 'tw', 'jp', null, null])
  })
})

describe('consent', () => {
  it.each(['1', 'Y', 'yes', 'TRUE', '是', '同意', 'はい', ' １ '])('is given by %j', text =>
    expect(isConsent(text)).toBe(true),
  )
  it.each(['0', 'n', 'no', 'false', '否', '不同意', 'いいえ', '', 'ok', '11'])('is not given by %j', text =>
    expect(isConsent(text)).toBe(false),
  )
})
