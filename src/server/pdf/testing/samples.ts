import { crc32, deflateSync } from 'node:zlib'
import type { PaymentInput } from '../payment-document.ts'
import type { QuotationInput } from '../quotation-document.ts'
import type { StatementInput } from '../statement-document.ts'

const M = 1_000_000

const issuer = {
  name: '晨光整合行銷股份有限公司',
  tax_id: '04595252',
  address: '臺北市信義區松仁路 100 號 21 樓',
  jp_tax_id: '',
  phone: '02-2345-6789',
  bank: '玉山銀行（808）信義分行\n戶名：晨光整合行銷股份有限公司\n帳號：0123-940-567890',
  logo: null,
}
const buyer = {
  name: '山海選物國際股份有限公司',
  tax_id: '10458570',
  address: '臺中市西屯區市政路 386 號 12 樓之 3',
}

const base = {
  is_draft: false,
  language: 'zh-TW',
  issue_on: '2026-11-05',
  issuer,
  buyer,
  currency: 'TWD',
  tax: 'tw_vat',
} as const

export const line: QuotationInput['lines'][number] = {
  channel: 'fb',
  publisher: '',
  title: '',
  description: '雙 11 檔期導購；素材 6 組，首週 A/B 測試後集中預算於成效最佳者。',
  start: '2026-11-01',
  end: '2026-11-30',
  pricing: 'budget',
  quantity: 0,
  unit_price: 0,
  budget: 100_000 * M,
  fee_rate: 1500,
  fee_basis: 'on_top',
  fee: 15_000 * M,
}

const terms = `1. 本委刊單經雙方簽章後生效，委刊內容以本單所載為準。
2. 廣告素材由委刊單位提供者，委刊單位應保證其內容不侵害第三人之權利，且不違反相關法令；如有違反，由委刊單位自負其責。
3. 委刊單位於走期開始前三個工作日內取消者，應支付服務費之百分之三十；走期開始後取消者，已執行之媒體費用與服務費全額計收。
4. 實際曝光數與點擊數以各媒體平台後台數據為準，尾差於次月對帳單中調整。`

/** Example B1 of areas-customers.md. */
export function quotation(changes: Partial<QuotationInput> = {}): QuotationInput {
  return {
    ...base,
    number: 'Q2026-0007-2',
    advertiser: buyer.name,
    title: '2026 雙 11 全通路檔期',
    valid_until: '2026-11-19',
    payment_terms: { kind: 'month_end', days: 30 },
    client_po: 'PO-2026-1105',
    terms,
    media_billing: 'agency',
    lines: [
      line,
      {
        ...line,
        channel: 'aw',
        description: '品牌關鍵字與最高成效廣告',
        budget: 55_555 * M,
        fee_rate: 1250,
        fee: 6_944 * M,
      },
      {
        ...line,
        channel: null,
        publisher: '聯合新聞網',
        description: '首頁橫幅 970 × 250',
        pricing: 'cpm',
        quantity: 833_333,
        unit_price: 120 * M,
        budget: 100_000 * M,
        fee_rate: 1000,
        fee: 10_000 * M,
      },
    ],
    subtotal: 255_555 * M,
    service_fee: 31_944 * M,
    minimum_fee: 0,
    discount: 5_000 * M,
    taxable: 282_499 * M,
    untaxed: 0,
    tax_amount: 14_125 * M,
    total: 296_624 * M,
    schedule: [],
    ...changes,
  }
}

export function payment(changes: Partial<PaymentInput> = {}): PaymentInput {
  return {
    ...base,
    number: 'P2026-0031',
    title: '2026 雙 11 全通路檔期',
    month: null,
    quotation_label: 'Q2026-0007-2',
    client_po: 'PO-2026-1105',
    part: { index: 2, count: 3, share: 4000 },
    due_on: '2026-12-30',
    untaxed: 0,
    taxable: 112_999 * M,
    tax_amount: 5_649 * M,
    amount: 118_648 * M,
    invoice_number: 'AB12345678',
    invoice_on: '2026-11-05',
    note: '匯款時請註明請款單號；匯費由付款方負擔。',
    ...changes,
  }
}

const statementLine = (
  changes: Partial<StatementInput['lines'][number]>,
): StatementInput['lines'][number] => ({
  channel: 'fb',
  currency: 'TWD',
  spend: 123_456_780_000,
  invoiced: null,
  adjusted: 0,
  code: null,
  rate: null,
  billed: 123_457 * M,
  fee: 18_519 * M,
  tax_amount: 7_099 * M,
  total: 149_075 * M,
  ...changes,
})

/** Example C1. */
export function statement(changes: Partial<StatementInput> = {}): StatementInput {
  return {
    ...base,
    number: '2026-11',
    issue_on: '2026-12-03',
    month: '2026-11',
    payment_terms: { kind: 'days', days: 30 },
    media_billing: 'agency',
    lines: [
      statementLine({}),
      statementLine({
        currency: 'JPY',
        spend: 450_000 * M,
        rate: '0.2085',
        billed: 93_825 * M,
        fee: 14_074 * M,
        tax_amount: 5_395 * M,
        total: 113_294 * M,
      }),
      statementLine({
        channel: 'aw',
        spend: 88_000_500_000,
        billed: 88_001 * M,
        fee: 13_200 * M,
        tax_amount: 5_060 * M,
        total: 106_261 * M,
      }),
      statementLine({
        channel: 'tt',
        currency: 'USD',
        spend: 1_234_560_000,
        rate: '31.505',
        billed: 38_895 * M,
        fee: 5_834 * M,
        tax_amount: 2_236 * M,
        total: 46_965 * M,
      }),
    ],
    adjustments: [
      {
        channel: 'aw',
        id: 1,
        concerns_month: '2026-10',
        reason: 'drift',
        note: '',
        currency: 'TWD',
        amount: -351 * M,
      },
    ],
    media: 344_178 * M,
    fee: 51_627 * M,
    taxable: 395_805 * M,
    untaxed: 0,
    tax_amount: 19_790 * M,
    total: 415_595 * M,
    ...changes,
  }
}

/** A picture in one colour; of colour type 0, 2 or 6. */
export function png(
  width: number,
  height: number,
  colour: 0 | 2 | 6,
  { data }: { data?: Buffer } = {},
): Buffer {
  const channels = { 0: 1, 2: 3, 6: 4 }[colour]
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colour], 8)
  const rows = () =>
    deflateSync(
      Buffer.alloc(height * (1 + width * channels), 0x60).map((value, at) =>
        at % (1 + width * channels) === 0 ? 0 : value,
      ),
    )
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data ?? rows()),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** One grey point. */
export const JPEG = Buffer.from(
  `/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP${'/'.repeat(86)}wgALCAABAAEBAREA/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPxD/2Q==`,
  'base64',
)
