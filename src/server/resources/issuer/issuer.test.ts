import { PNG } from 'pngjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { Issuer } from '#shared/api/customers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const director = await api.signedIn('director')
const finance = await api.signedIn('staff', { department: 7 })
const staff = await api.signedIn('staff')
const client = await api.signedIn('external_user')

const PATH = '/api/ad_insertion/issuer/'
const one = ({ body }: ApiResponse) => Issuer.parse(body)
const dataUrl = (type: string, bytes: Uint8Array) =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`

const png = (width: number, height: number) => PNG.sync.write(new PNG({ width, height }))

/** What says the size of a picture, without its content. */
function pngHead(width: number, height: number) {
  const bytes = Buffer.alloc(33)
  Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1').copy(bytes)
  bytes.writeUInt32BE(13, 8)
  bytes.write('IHDR', 12, 'latin1')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}

let version = 0
beforeEach(async () => {
  ;({ version } = one(await staff.get(PATH)))
})
const change = (body: object, who = finance) => who.patch(PATH, { version, ...body })

describe('the agency on its documents', () => {
  it('is one, read by its people, changed by directors and finance', async () => {
    expect(one(await staff.get(PATH))).toMatchObject({ base_currency: 'TWD', valid_days: 14, logo: null })
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await change({ name: 'Ours' }, staff), 403, 'forbidden')
    const facts = {
      name: '範例廣告股份有限公司',
      tax_id: '04595252',
      jp_tax_id: 'T7000012050002',
      address: '台北市',
      phone: '+886 2 1234 5678',
      bank: '銀行\n帳號',
      terms: { en: 'Terms', 'zh-TW': '條款' },
      valid_days: 30,
    }
    expect(one(await change(facts, director))).toMatchObject({ ...facts, version: version + 1 })
    const late = await change({ name: 'Too late' })
    expectRefusal(late, 409, 'conflict')
    expect(late.body).toMatchObject({ issuer: { name: facts.name, version: version + 1 } })
  })

  it.each([
    [{ tax_id: '12345678' }, { tax_id: ['tax_id_checksum'] }],
    [{ jp_tax_id: 'T1234567890123' }, { jp_tax_id: ['tax_id_checksum'] }],
    [{ jp_tax_id: '04595252' }, { jp_tax_id: ['tax_id_format'] }],
    [{ valid_days: 0 }, { valid_days: ['field_invalid'] }],
  ])('is refused as %j', async (body, fields) => {
    expectRefusal(await change(body), 400, 'invalid', fields as never)
  })

  it('has a logo that is a PNG or JPEG by its content', async () => {
    const logo = dataUrl('image/png', png(200, 80))
    expect(one(await change({ logo })).logo).toBe(logo)
    expect(one(await staff.get(PATH)).logo).toBe(logo)
    version += 1
    // The type is that of the content, whatever the address says.
    expect(one(await change({ logo: dataUrl('image/jpeg', png(10, 10)) })).logo).toMatch(/^data:image\/png/)
    version += 1
    expect(one(await change({ logo: null })).logo).toBe(null)
  })

  it.each([
    ['no picture', dataUrl('image/png', Buffer.from('<svg onload="x">')), 'image_type'],
    ['a GIF', dataUrl('image/png', Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')), 'image_type'],
    ['an address', 'https://example.com/logo.png', 'image_type'],
    ['nothing', '', 'image_type'],
    ['cut short', dataUrl('image/png', png(200, 80).subarray(0, -20)), 'image_type'],
    ['a head alone', dataUrl('image/png', pngHead(200, 80)), 'image_type'],
    ['more pixels than documents carry', dataUrl('image/png', pngHead(5000, 5000)), 'image_too_large'],
    [
      'more bytes than documents carry',
      dataUrl('image/png', Buffer.concat([png(9, 9), Buffer.alloc(524_288)])),
      'image_too_large',
    ],
  ] as const)('has no logo that is %s', async (_, logo, code) => {
    expectRefusal(await change({ logo }), 400, 'invalid', { logo: [code] })
  })

  it('keeps its base currency once amounts are in it', async () => {
    expect(one(await change({ base_currency: 'JPY' })).base_currency).toBe('JPY')
    version += 1
    const rate = { month: '2026-01-01', currency: 'USD', rate: '150', kind: 'final' } as const
    await api.db.insertInto('rate').values(rate).execute()
    expectRefusal(await change({ base_currency: 'TWD' }), 400, 'invalid', {
      base_currency: ['base_currency_used'],
    })
    expect((await change({ base_currency: 'JPY' })).status).toBe(200)
  })
})
