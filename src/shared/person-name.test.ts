import { expect, it } from 'vitest'
import { nameOf } from './person-name.ts'

it('is what people call somebody', () => {
  expect(nameOf({ full_name: 'Mika Chen', username: 'mika' })).toBe('Mika Chen')
  expect(nameOf({ full_name: '', username: 'mika' })).toBe('mika')
  expect(nameOf({ full_name: '', username: null })).toBe('')
})
