import { expect, it } from 'vitest'
import type { PdfDocument } from './document.ts'
import { quotationDocument } from './quotation-document.ts'
import { line, quotation } from './testing/samples.ts'

const M = 1_000_000
const sumsOf = ({ sums }: PdfDocument) => sums.map(({ label, amount }) => `${label} ${amount}`)
const rowsOf = ({ table }: PdfDocument) =>
  table.rows.map(row => row.map(({ text, detail = '' }) => [text, detail].filter(Boolean).join(' / ')))

it('prints the amounts of B1, with the tax and its rate', () => {
  expect(sumsOf(quotationDocument(quotation()))).toEqual([
    '媒體費用 255,555',
    '服務費 31,944',
    '折扣 −5,000',
    '應稅金額 282,499',
    '營業稅 5 % 14,125',
    '總計 TWD 296,624',
  ])
  expect(rowsOf(quotationDocument(quotation({ language: 'en' }))).at(2)).toEqual([
    '3',
    '聯合新聞網 / 首頁橫幅 970 × 250',
    '1 Nov 2026 –\n30 Nov 2026',
    'CPM / 833,333 × 120',
    '100,000',
    '10,000 / 10 %',
  ])
})

it('says of B2 that the client pays the media, or that they are passed on untaxed', () => {
  const client = {
    media_billing: 'client',
    taxable: 26_944 * M,
    tax_amount: 1_347 * M,
    total: 28_291 * M,
  } as const
  expect(sumsOf(quotationDocument(quotation({ ...client, language: 'en' })))).toEqual([
    'Media, paid by you directly 255,555',
    'Service fee 31,944',
    'Discount −5,000',
    'Taxable amount 26,944',
    'VAT 5 % 1,347',
    'Total TWD 28,291',
  ])
  const advance = { ...client, media_billing: 'advance', untaxed: 255_555 * M, total: 283_846 * M } as const
  expect(sumsOf(quotationDocument(quotation(advance)))).toEqual([
    '服務費 31,944',
    '折扣 −5,000',
    '應稅金額 26,944',
    '營業稅 5 % 1,347',
    '代墊媒體費用（不計稅） 255,555',
    '總計 TWD 283,846',
  ])
})

it('says why there is no tax, as in B7', () => {
  const free = {
    currency: 'USD',
    taxable: 1_419_740_000,
    tax_amount: 0,
    total: 1_419_740_000,
    discount: 0,
  } as const
  const printed = (tax: 'zero_rated' | 'exempt', language: 'en' | 'zh-TW') =>
    sumsOf(quotationDocument(quotation({ ...free, tax, language }))).slice(-3)
  expect(printed('zero_rated', 'zh-TW')).toEqual([
    '未稅金額 1,419.74',
    '營業稅（零稅率） 0.00',
    '總計 USD 1,419.74',
  ])
  expect(printed('exempt', 'en')[1]).toBe('VAT (exempt) 0.00')
})

it('gives what is missing to the least fee a row of its own, as in B6', () => {
  const one = { ...line, budget: 60_000 * M, fee: 9_000 * M }
  const document = quotationDocument(
    quotation({ lines: [one], service_fee: 20_000 * M, minimum_fee: 11_000 * M }),
  )
  expect(rowsOf(document).at(-1)).toEqual(['', '最低服務費差額', '', '', '11,000'])
  expect(sumsOf(document)).toContain('服務費 20,000')
})

it('leaves out the columns of prices and fees where there are none', () => {
  const labels = (changes: Parameters<typeof quotation>[0]) =>
    quotationDocument(quotation(changes)).table.columns.map(({ label }) => label)
  expect(labels({ lines: [line] })).toEqual(['#', '項目', '走期', '預算', '服務費'])
  expect(labels({ lines: [{ ...line, fee: 0, fee_rate: 0 }], service_fee: 0 })).toEqual([
    '#',
    '項目',
    '走期',
    '預算',
  ])
})

it('says across its pages that it is a draft, also with the number of the order that it revises', () => {
  const draft = quotationDocument(quotation({ is_draft: true }))
  expect([draft.number, draft.watermark]).toEqual(['Q2026-0007-2', '草稿'])
  expect(quotationDocument(quotation()).watermark).toBeNull()
})

it('names the advertiser where an agent is billed', () => {
  const labels = (advertiser: string) =>
    quotationDocument(quotation({ advertiser })).facts.map(({ label, value }) => `${label} ${value}`)
  expect(labels('森林食品')).toContain('廣告主 森林食品')
  expect(labels(quotation().buyer.name).join()).not.toContain('廣告主')
})

it('names a line by its channel, its publisher, its title, or the first two with the title', () => {
  const lines = [
    { ...line, title: '動態廣告' },
    { ...line, channel: null, publisher: '聯合新聞網' },
    { ...line, channel: null, title: '素材製作' },
  ]
  expect(rowsOf(quotationDocument(quotation({ lines }))).map(row => row[1]?.split(' / ')[0])).toEqual([
    'Meta 廣告 – 動態廣告',
    '聯合新聞網',
    '素材製作',
  ])
})

it('lists the payments of B4, and when each is due', () => {
  const schedule = [
    { share: 3000, after: 0 },
    { share: 4000, after: 30 },
    { share: 3000, due_on: '2026-12-31' },
  ]
  const linesOf = (language: 'en' | 'zh-TW', number = 'Q2026-0007') =>
    quotationDocument(quotation({ schedule, language, number })).sections[0]?.text.split('\n')
  expect(linesOf('zh-TW')).toEqual([
    '1. 30 %，TWD 88,988，簽回當日',
    '2. 40 %，TWD 118,648，簽回後 30 天',
    '3. 30 %，TWD 88,988，2026/12/31',
  ])
  expect(linesOf('en')).toEqual([
    '1. 30 %, TWD 88,988, on acceptance',
    '2. 40 %, TWD 118,648, 30 days after acceptance',
    '3. 30 %, TWD 88,988, 31 Dec 2026',
  ])
  // Of a revision, payments may cover less: earlier ones stay in force.
  expect(linesOf('zh-TW', 'Q2026-0007-2')?.at(1)).toBe('2. 40 %，簽回後 30 天')
})

it('names both who sign', () => {
  const { signatures } = quotationDocument(quotation())
  expect(signatures.map(({ label, name }) => [label, name])).toEqual([
    ['委刊單位簽章', '山海選物國際股份有限公司'],
    ['代理商簽章', '晨光整合行銷股份有限公司'],
  ])
})
