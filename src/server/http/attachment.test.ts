import { expect, it } from 'vitest'
import { attachment } from './attachment.ts'

it('has any file name in ASCII', () => {
  expect(attachment('報表 "1".csv')).toBe(`attachment; filename*=UTF-8''%E5%A0%B1%E8%A1%A8%20%221%22.csv`)
})
