import type { CustomerContact, FeeTier } from '#shared/api/customers.ts'
import type { Trx } from '#server/db/transaction.ts'

/** One unit of a currency, in millionths. */
const UNIT = 1_000_000

interface DemoCustomer {
  /** In English, as the migration has made it. */
  industry: string
  has_agent?: true
  facts: {
    legal_name: string
    tax_country: 'TW' | 'JP' | 'other'
    tax_id: string
    website: string
    address: string
    document_language: 'en' | 'zh-TW'
    billing_currency: string
    tax: 'tw_vat' | 'jp_ct' | 'zero_rated'
    media_billing: 'agency' | 'advance' | 'client'
    note: string
  }
  payment_terms: { kind: 'days' | 'month_end'; days: number }
  contacts: CustomerContact[]
  agreements: DemoAgreement[]
}

interface DemoAgreement {
  channel?: 'fb'
  /** How many months ago it began, and ended. */
  from: number
  to?: number
  amount?: number
  tiers: FeeTier[]
  tier_mode?: 'whole'
  basis?: 'within'
  minimum?: number
  charges_idle_months?: true
}

const flat = (rate: number): FeeTier[] => [{ up_to: null, rate }]
const falling: FeeTier[] = [
  { up_to: 500_000 * UNIT, rate: 2000 },
  { up_to: 1_000_000 * UNIT, rate: 1500 },
  { up_to: null, rate: 1000 },
]

function contact(name: string, title: string, email: string): CustomerContact {
  return { name, title, phone: '', email, is_billing: /會計|Finance|経理/.test(title) }
}

/** Their tax ids are of no company, and have the right check digits. A fee agreement of each kind. */
const customers: Record<string, DemoCustomer> = {
  'Aurora Cosmetics': {
    industry: 'Beauty',
    facts: {
      legal_name: '極光美妝股份有限公司',
      tax_country: 'TW',
      tax_id: '99901100',
      website: 'https://aurora.example',
      address: '台北市信義區示範路 1 號 8 樓',
      document_language: 'zh-TW',
      billing_currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      note: '',
    },
    payment_terms: { kind: 'month_end', days: 30 },
    contacts: [
      contact('林愛麗', '行銷經理', 'client-a@aurora.demo'),
      contact('陳美玲', '會計', 'accounting@aurora.demo'),
    ],
    agreements: [
      { from: 26, to: 12, tiers: flat(1800) },
      { from: 11, tiers: flat(1500) },
    ],
  },
  'Borealis Outdoor': {
    industry: 'Fashion',
    has_agent: true,
    facts: {
      legal_name: '北境戶外用品有限公司',
      tax_country: 'TW',
      tax_id: '99902202',
      website: 'https://borealis.example',
      address: '台中市西屯區示範大道 22 號',
      document_language: 'zh-TW',
      billing_currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      note: '',
    },
    payment_terms: { kind: 'month_end', days: 60 },
    contacts: [
      contact('柏博', '電商經理', 'client-b@borealis.demo'),
      contact('吳會計', '會計', 'accounting@borealis.demo'),
    ],
    agreements: [{ from: 26, tiers: falling }],
  },
  'Cedar Coffee': {
    industry: 'Food and beverage',
    facts: {
      legal_name: 'シダーコーヒー K.K.',
      tax_country: 'JP',
      tax_id: 'T2999999990015',
      website: 'https://cedar.example',
      address: '東京都渋谷区見本町 3-3-3',
      document_language: 'en',
      billing_currency: 'JPY',
      tax: 'jp_ct',
      media_billing: 'agency',
      note: 'Invoices go to Tokyo by e-mail.',
    },
    payment_terms: { kind: 'days', days: 30 },
    contacts: [contact('佐藤花子', '経理', 'keiri@cedar.demo')],
    agreements: [{ from: 26, amount: 50_000 * UNIT, tiers: flat(500), charges_idle_months: true }],
  },
  'Delta Fitness': {
    industry: 'Health',
    facts: {
      legal_name: '德塔健身事業股份有限公司',
      tax_country: 'TW',
      tax_id: '99904401',
      website: 'https://delta.example',
      address: '高雄市前鎮區示範三路 44 號',
      document_language: 'zh-TW',
      billing_currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'advance',
      note: '',
    },
    payment_terms: { kind: 'days', days: 45 },
    contacts: [
      contact('黃健', '營運總監', 'ops@delta.demo'),
      contact('李會計', '會計', 'accounting@delta.demo'),
    ],
    agreements: [{ from: 26, tiers: flat(1500), minimum: 30_000 * UNIT }],
  },
  'Ember Games': {
    industry: 'Games and entertainment',
    facts: {
      legal_name: 'Ember Games, Inc.',
      tax_country: 'other',
      tax_id: '99-0000555',
      website: 'https://ember.example',
      address: '555 Example Avenue, Los Angeles, CA',
      document_language: 'en',
      billing_currency: 'USD',
      tax: 'zero_rated',
      media_billing: 'agency',
      note: '',
    },
    payment_terms: { kind: 'days', days: 60 },
    contacts: [contact('Erin Reyes', 'Finance', 'ap@ember.demo')],
    agreements: [{ from: 26, tiers: flat(1500), basis: 'within' }],
  },
  'Fjord Travel': {
    industry: 'Travel',
    facts: {
      legal_name: '峽灣旅行社股份有限公司',
      tax_country: 'TW',
      tax_id: '99906604',
      website: 'https://fjord.example',
      address: '台北市中山區示範北路 66 號',
      document_language: 'zh-TW',
      billing_currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'client',
      note: '',
    },
    payment_terms: { kind: 'month_end', days: 45 },
    contacts: [contact('張遊', '數位行銷主任', 'digital@fjord.demo')],
    agreements: [
      { from: 26, tiers: falling, tier_mode: 'whole' },
      { channel: 'fb', from: 5, tiers: flat(1250) },
    ],
  },
}

/** What the agency knows about its customers, what is agreed with them, and how it stands on documents. */
export async function insertCustomers(
  trx: Trx,
  { advertisers, month }: { advertisers: ReadonlyMap<string, number>; month: string },
): Promise<void> {
  const industries = await trx.selectFrom('industry').select(['id', 'name']).execute()
  const industryIds = new Map(industries.map(({ id, name }) => [name, id]))
  const agent = await insertAgent(trx)
  for (const [name, customer] of Object.entries(customers)) {
    const id = advertisers.get(name)
    if (id === undefined) continue
    await trx
      .updateTable('advertiser')
      .set({
        ...customer.facts,
        industry: industryIds.get(customer.industry) ?? null,
        agent: customer.has_agent ? agent : null,
        payment_terms: JSON.stringify(customer.payment_terms),
        contacts: JSON.stringify(customer.contacts),
      })
      .where('id', '=', id)
      .execute()
    const currency = customer.facts.billing_currency
    for (const agreement of customer.agreements)
      await trx
        .insertInto('fee_agreement')
        .values({ advertiser: id, currency, ...rowOf(agreement, month) })
        .execute()
  }
  await updateIssuer(trx)
}

function rowOf({ from, to, tiers, ...terms }: DemoAgreement, month: string) {
  const monthsAgo = (months: number) => Temporal.PlainDate.from(`${month}-01`).subtract({ months }).toString()
  return {
    ...terms,
    tiers: JSON.stringify(tiers),
    from_month: monthsAgo(from),
    to_month: to === undefined ? null : monthsAgo(to),
  }
}

async function insertAgent(trx: Trx): Promise<number> {
  const { id } = await trx
    .insertInto('agent')
    .values({
      name: '港灣媒體 Harbor Media',
      tax_id: '99908803',
      address: '台北市大安區示範南路 88 號 12 樓',
      commission_rate: 1000,
      commission_base: 'fee',
      contacts: JSON.stringify([contact('何港', '業務總監', 'sales@harbor.demo')]),
      payment_terms: JSON.stringify({ kind: 'month_end', days: 30 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function updateIssuer(trx: Trx): Promise<void> {
  await trx
    .updateTable('issuer')
    .set({
      name: '席卡數位行銷股份有限公司',
      tax_id: '99907701',
      jp_tax_id: 'T2999999990023',
      address: '台北市松山區示範東路 77 號 9 樓',
      phone: '+886 2 5550 0177',
      bank: '示範銀行松山分行（999）\n帳號：000-77-0000177\n戶名：席卡數位行銷股份有限公司',
      terms_en: 'Amounts are due by the date above. Unused budget is credited to the next order.',
      terms_zh: '請於付款期限前匯款至上列帳戶。未用完的預算折抵下一期委刊。',
    })
    .execute()
}
