import { expect, it } from 'vitest'
import { nameSpecialists } from './specialist.ts'

const lin = { name: 'Lin Yu-ting', email: 'lin@agency.example' }
const wu = { name: 'Wu $1', email: null }

it('names those who serve a client where a text sends them there, and nobody where nobody is known', () => {
  const en = 'There is no data. Please contact your service specialist.'
  expect(nameSpecialists(en, [lin], 'en')).toBe(
    'There is no data. Please contact your service specialist Lin Yu-ting (lin@agency.example).',
  )
  expect(nameSpecialists('Your service specialist has not answered.', [lin, wu], 'en')).toBe(
    'Your service specialist Lin Yu-ting (lin@agency.example) or Wu $1 has not answered.',
  )
  expect(nameSpecialists('請聯絡您的服務專員。', [lin], 'zh-TW')).toBe(
    '請聯絡您的服務專員Lin Yu-ting（lin@agency.example）。',
  )
  expect(nameSpecialists(en, [], 'en')).toBe(en)
  expect(nameSpecialists('Saved.', [lin], 'en')).toBe('Saved.')
})
