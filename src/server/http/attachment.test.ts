import { expect, it } from 'vitest'
import { attachment, disposition } from './attachment.ts'

it('has any file name in ASCII', () => {
  expect(attachment('報表 "1".csv')).toBe(`attachment; filename*=UTF-8''%E5%A0%B1%E8%A1%A8%20%221%22.csv`)
})

it('has a name for programs that only know ASCII, too', () => {
  expect(disposition('inline', '秋季 50% (1) "x"\r\n.png')).toBe(
    `inline; filename="__ 50_ (1) _x___.png"; filename*=UTF-8''%E7%A7%8B%E5%AD%A3%2050%25%20%281%29%20%22x%22%0D%0A.png`,
  )
  expect(disposition('attachment', "a'*\u{d800}🙂")).toBe(
    `attachment; filename="a'*__"; filename*=UTF-8''a%27%2A%EF%BF%BD%F0%9F%99%82`,
  )
})
