import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Advertiser, AdvertiserSpend, RelatedAdAccounts } from '#shared/api/advertisers.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const staff = await api.signedIn('staff')
const other = await api.signedIn('staff')
const client = await api.signedIn('external_user')
const finance = await api.signedIn('staff', { department: 7 })

const PATH = '/api/advertiser/'
const AD_ACCOUNTS = `${PATH}relate/ad-account/`
const one = ({ body }: ApiResponse) => Advertiser.parse(body)
const names = ({ body }: ApiResponse) => Named.parse(body).results.map(({ name }) => name)
const Named = z.object({ results: z.array(z.object({ name: z.string() })) })
const related = ({ body }: ApiResponse) => RelatedAdAccounts.parse(body).ad_accounts
let made = 0
const take = async (who = boss, facts: object = {}) =>
  one(await who.post(PATH, { name: `Customer ${(made += 1)}`, ...facts }))

describe('advertisers', () => {
  it('are created with their members, including the creator', async () => {
    const acme = await take(staff, { name: 'Acme', members: [client.user.id] })
    expect(acme).toMatchObject({ name: 'Acme', is_active: true })
    expect(acme.members.toSorted()).toEqual([client.user.id, staff.user.id].toSorted())
    expect((await take(boss)).members).toEqual([])
  })

  it('are listed to the people who may use them', async () => {
    await take(staff, { name: 'Seen by one' })
    expect(names(await staff.get(`${PATH}?search=seen by`))).toEqual(['Seen by one'])
    expect(names(await other.get(`${PATH}?search=seen by`))).toEqual([])
    expect(names(await boss.get(`${PATH}?search=seen by`))).toEqual(['Seen by one'])
    expectRefusal(await client.get(PATH), 403, 'forbidden')
  })

  it('do not exist for others', async () => {
    const { id } = await take(staff)
    const missing = await other.get(`${PATH}999999999/`)
    expectRefusal(await other.get(`${PATH}${id}/`), 404, 'not_found')
    expectRefusal(await other.patch(`${PATH}${id}/`, { version: 1, name: 'Mine' }), 404, 'not_found')
    expect(missing.status).toBe(404)
  })

  it('have unique names, and members whom the creator may see', async () => {
    const { id, name } = await take()
    const second = await take()
    expectRefusal(await boss.post(PATH, { name }), 400, 'invalid', { name: ['name_taken'] })
    expectRefusal(await boss.patch(`${PATH}${second.id}/`, { version: 1, name }), 400, 'invalid', {
      name: ['name_taken'],
    })
    expect(one(await boss.patch(`${PATH}${id}/`, { version: 1, name, is_active: false }))).toMatchObject({
      is_active: false,
    })
    expectRefusal(await boss.patch(`${PATH}${id}/`, { version: 2, members: [999_999_999] }), 400, 'invalid', {
      members: ['field_not_available'],
    })
  })

  it('have no clients of other advertisers as members, unless the creator serves those, too', async () => {
    const theirs = await api.signedIn('external_user')
    const members = [theirs.user.id]
    const { id: own } = await take(staff)
    const { id: of_other } = await take(other, { members })
    const fieldError = { members: ['field_not_available'] } as const
    const name = `Customer ${(made += 1)}`
    expectRefusal(await staff.patch(`${PATH}${own}/`, { version: 1, members }), 400, 'invalid', fieldError)
    expectRefusal(await staff.post(PATH, { name, members }), 400, 'invalid', fieldError)
    await boss.patch(`${PATH}${of_other}/`, { version: 1, members: [...members, staff.user.id] })
    const both = [...members, staff.user.id]
    expect(
      one(await staff.patch(`${PATH}${own}/`, { version: 1, members: both })).members.toSorted(),
    ).toEqual(both.toSorted())
  })
})

describe('an advertiser', () => {
  const facts = {
    legal_name: '台灣積體電路製造股份有限公司',
    tax_id: '04595252',
    website: 'https://acme.example',
    address: '新竹市力行六路 8 號',
    contacts: [{ name: 'Lin', title: 'CFO', phone: '+886 2', email: 'lin@acme.example', is_billing: true }],
    document_language: 'en',
    billing_currency: 'TWD',
    tax: 'zero_rated',
    media_billing: 'advance',
    payment_terms: { kind: 'month_end', days: 30 },
    note: 'Two\nlines',
  }

  it('has what is written about it, with defaults for the rest', async () => {
    expect(await take(boss, facts)).toMatchObject({ ...facts, tax_country: 'TW', version: 1, agent: null })
    expect(await take(boss)).toMatchObject({
      legal_name: '',
      tax_id: '',
      tax: 'tw_vat',
      media_billing: 'agency',
      billing_currency: null,
      payment_terms: { kind: 'days', days: 30 },
      document_language: 'zh-TW',
      contacts: [],
      accounts: {},
      open_orders: 0,
      overdue: [],
      service_fee_rate: null,
      shares_tax_id_with: [],
    })
  })

  it.each([
    ['TW', '04595252', []],
    ['TW', '10458570', []],
    ['TW', '10458575', []],
    ['TW', '10458571', ['tax_id_checksum']],
    ['TW', '12345678', ['tax_id_checksum']],
    ['TW', '1234567', ['tax_id_format']],
    ['JP', 'T7000012050002', []],
    ['JP', 'T1234567890123', ['tax_id_checksum']],
    ['other', 'DE 123', []],
    ['TW', '', []],
  ] as const)('of %s with the tax id %j: %s (A1, A2)', async (tax_country, tax_id, codes) => {
    const { id, version } = await take()
    const created = await boss.post(PATH, { name: `Tax ${(made += 1)}`, tax_country, tax_id })
    const changed = await boss.patch(`${PATH}${id}/`, { version, tax_country, tax_id })
    const problems = ({ body }: ApiResponse) => Object(body).codes?.tax_id ?? []
    expect([created.status, changed.status]).toEqual(codes.length === 0 ? [201, 200] : [400, 400])
    expect([problems(created), problems(changed)]).toEqual([codes, codes])
  })

  it('keeps a tax id that fits its country when only the country is changed', async () => {
    const { id, version } = await take(boss, { tax_id: '04595252' })
    const moved = await boss.patch(`${PATH}${id}/`, { version, tax_country: 'JP' })
    expectRefusal(moved, 400, 'invalid', { tax_id: ['tax_id_format'] })
  })

  it('names the others with its tax id, as far as the reader may see them', async () => {
    const tax_id = '22099131'
    const [one_brand, other_brand] = [await take(staff, { tax_id }), await take(staff, { tax_id })]
    const hidden = await take(other, { tax_id })
    const brand = one(await staff.get(`${PATH}${one_brand.id}/`))
    expect(brand.shares_tax_id_with).toEqual([{ id: other_brand.id, name: other_brand.name }])
    const all = one(await boss.get(`${PATH}${one_brand.id}/`)).shares_tax_id_with
    expect(all.map(({ id }) => id).toSorted()).toEqual([other_brand.id, hidden.id].toSorted())
  })

  it('takes an industry and an agent that exist', async () => {
    const industry = await anIndustry()
    const agent = await anAgent()
    const { id } = await take(boss, { industry, agent })
    expect(one(await boss.get(`${PATH}${id}/`))).toMatchObject({ industry, agent })
    for (const field of ['industry', 'agent'])
      expectRefusal(await boss.patch(`${PATH}${id}/`, { version: 1, [field]: 999_999 }), 400, 'invalid', {
        [field]: ['field_not_available'],
      })
    expect(names(await boss.get(`${PATH}?industry=${industry}`))).toHaveLength(1)
    expect(names(await boss.get(`${PATH}?agent=${agent}&is_active=true`))).toHaveLength(1)
    expect(names(await boss.get(`${PATH}?agent=${agent}&is_active=false`))).toHaveLength(0)
  })

  it('is changed by one of two who have read the same version (A10)', async () => {
    const { id } = await take(staff)
    for (const version of [1, 2, 3]) await staff.patch(`${PATH}${id}/`, { version, note: `${version}` })
    const change = (note: string) => staff.patch(`${PATH}${id}/`, { version: 4, note })
    const [first, second] = await Promise.all([change('first'), change('second')])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expect(one(won).version).toBe(5)
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ advertiser: { id, version: 5, note: one(won).note } })
  })

  it('is found by name, legal name and tax id, by its members, and without an agreement', async () => {
    const { id, name } = await take(staff, { name: 'Findable', legal_name: '尋得股份', tax_id: '10458570' })
    for (const search of ['findab', '尋得', '10458570'])
      expect(names(await staff.get(`${PATH}?search=${encodeURIComponent(search)}`))).toContain(name)
    expect(names(await boss.get(`${PATH}?member=${staff.user.id}&search=findable`))).toEqual([name])
    expect(names(await boss.get(`${PATH}?member=${other.user.id}&search=findable`))).toEqual([])
    expect(names(await boss.get(`${PATH}?no_agreement=true&search=findable`))).toEqual([name])
    await agree(id, { from_month: '2000-01-01' })
    expect(names(await boss.get(`${PATH}?no_agreement=true&search=findable`))).toEqual([])
    expect(names(await boss.get(`${PATH}?no_agreement=false&search=findable`))).toEqual([name])
  })

  it('has its fee as a rate where the general agreement of this month is flat', async () => {
    const flat = await take()
    await agree(flat.id, { from_month: '2000-01-01', to_month: '2000-12-01', rates: [900] })
    await agree(flat.id, { from_month: '2001-01-01', rates: [1500] })
    expect(one(await boss.get(`${PATH}${flat.id}/`)).service_fee_rate).toBe(1500)
    const withAmount = await take()
    await agree(withAmount.id, { from_month: '2001-01-01', amount: 20_000_000_000 })
    const tiered = await take()
    await agree(tiered.id, { from_month: '2001-01-01', rates: [2000, 1500] })
    const ofChannel = await take()
    await agree(ofChannel.id, { from_month: '2001-01-01', channel: 'fb' })
    for (const { id } of [withAmount, tiered, ofChannel])
      expect(one(await boss.get(`${PATH}${id}/`)).service_fee_rate).toBe(null)
  })

  it('counts its accounts, its orders that go on, and what is overdue by currency', async () => {
    const { id } = await take(staff)
    await api.account({ advertiser: id })
    await api.account({ advertiser: id })
    const day = (days: number) =>
      new Date(api.clock.now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
    const order = await anOrder(id, { status: 'accepted', end: day(3) })
    await anOrder(id, { status: 'accepted', end: day(-3) })
    await anOrder(id, { status: 'sent', end: day(3) })
    await aPayment(id, { quotation: order, amount: 5_000_000, received: 2_000_000, due_on: day(-2) })
    await aPayment(id, { quotation: order, amount: 7_000_000, due_on: day(-9) })
    await aPayment(id, { quotation: order, amount: 11_000_000, due_on: day(2) })
    const expected = {
      accounts: { fb: 2 },
      open_orders: 1,
      overdue: [{ currency: 'TWD', amount: 10_000_000, payments: 2 }],
    }
    expect(one(await staff.get(`${PATH}${id}/`))).toMatchObject(expected)
    expect(one(await finance.get(`${PATH}${id}/`))).toMatchObject(expected)
  })
})

describe('finance', () => {
  it('sees and changes every customer, and uses no account by that', async () => {
    const { id, members } = await take(staff)
    const account = await api.account({ advertiser: id })
    const read = one(await finance.get(`${PATH}${id}/`))
    expect(read).toMatchObject({ accounts: { fb: 1 }, members })
    const changed = await finance.patch(`${PATH}${id}/`, { version: 1, note: 'pays late' })
    expect(one(changed).note).toBe('pays late')
    // A form sends what it has read.
    expect((await finance.patch(`${PATH}${id}/`, { version: 2, members: read.members })).status).toBe(200)
    const joining = await finance.patch(`${PATH}${id}/`, { version: 3, members: [finance.user.id] })
    expectRefusal(joining, 400, 'invalid', { members: ['field_not_available'] })
    expectRefusal(await finance.get(`${AD_ACCOUNTS}?advertiser=${id}`), 404, 'not_found')
    expect((await finance.get(`/api/ad/account/${account}/`)).status).toBe(404)
    const clone = { source: { advertiser: id }, advertiser: id, dry_run: true }
    expectRefusal(await finance.post('/api/gs-template-setting/care/clone/', clone), 400, 'invalid', {
      'source.advertiser': ['field_not_available'],
    })
    expect(names(await finance.get('/api/ad/account/advertisers/'))).toEqual([])
  })

  it('of a client is nobody', async () => {
    const impostor = await api.signedIn('external_user', { department: 7 })
    const { id } = await take()
    expectRefusal(await impostor.delete(`${PATH}${id}/`, { version: 1 }), 403, 'forbidden')
  })
})

describe('deleting an advertiser', () => {
  const remove = (who: Client, id: number, version = 1) => who.delete(`${PATH}${id}/`, { version })

  it('takes its members and fee agreements with it', async () => {
    const { id } = await take(boss, { members: [client.user.id] })
    await agree(id, { from_month: '2001-01-01' })
    expectRefusal(await remove(boss, id, 9), 409, 'conflict')
    expect((await remove(boss, id)).status).toBe(204)
    expectRefusal(await boss.get(`${PATH}${id}/`), 404, 'not_found')
  })

  it('is refused while anything points to it (A10)', async () => {
    const { id } = await take()
    const account = await api.account({ advertiser: id })
    await boss.report({ channels: [{ channel: 'fb', accounts: [account], metrics: ['cost'] }] })
    const quotation = await anOrder(id, { status: 'accepted', end: '2026-12-31' })
    await aPayment(id, { quotation, amount: 1_000_000, due_on: '2026-12-31' })
    const refused = await remove(boss, id)
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { accounts: 1, reports: 1, quotations: 1, payments: 1 } })
  })

  it('is refused while campaigns are planned for it', async () => {
    const { id: advertiser } = await take()
    const { id: site } = await api.db
      .insertInto('site')
      .values({ advertiser, name: 'Shop', url: 'https://shop.example/' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await api.db
      .insertInto('target_audience')
      .values({ advertiser, name: 'Hikers', age_min: 18, age_max: 65 })
      .execute()
    await api.db.insertInto('link_preset').values({ advertiser, name: 'Paid social' }).execute()
    const texts = { utm_source: 'x', utm_medium: 'x', utm_campaign: 'x', landing_url: 'x', link: 'x' }
    await api.db
      .insertInto('link')
      .values({ advertiser, site, name: 'Autumn', ga4_channel: 'Unassigned', ...texts })
      .execute()
    const sha256 = 'a'.repeat(64)
    await api.db.insertInto('blob').values({ sha256, size: 1 }).execute()
    const stored = { advertiser, name: 'x', size: 1, sha256, uploaded_by: null }
    const previews = { source_sha256: sha256, preview_320: sha256, preview_1280: sha256 }
    await api.db
      .insertInto('image')
      .values({ ...stored, ...previews, mime: 'image/png', width: 1, height: 1 })
      .execute()
    await api.db
      .insertInto('file')
      .values({ ...stored, mime: 'text/plain' })
      .execute()
    const refused = await remove(boss, advertiser)
    expectRefusal(refused, 409, 'in_use')
    expect(Object(refused.body).by).toEqual({
      sites: 1,
      target_audiences: 1,
      links: 1,
      link_presets: 1,
      images: 1,
      files: 1,
    })
  })

  it('is refused by a count of every table that would refuse it', async () => {
    const { rows } = await sql<{ table: string }>`
      select conrelid::regclass::text as table from pg_constraint
      where contype = 'f' and confrelid = 'advertiser'::regclass and confdeltype = 'a'`.execute(api.db)
    const queries = readFileSync(new URL('queries.ts', import.meta.url), 'utf8')
    const uncounted = rows.filter(
      ({ table }) => !new RegExp(`from ${table} where (advertiser = |ad_account in)`).test(queries),
    )
    // Agreements go with it; who is suppressed has been erased, and erasures are counted.
    expect(uncounted.map(({ table }) => table).toSorted()).toEqual(['fee_agreement', 'suppressed_member'])
  })

  it('is for managers of those whom they serve, and for finance', async () => {
    const manager = await api.signedIn('manager', { department: 2 })
    const { id } = await take(staff)
    expectRefusal(await remove(staff, id), 403, 'forbidden')
    expectRefusal(await remove(manager, id), 404, 'not_found')
    expect((await remove(finance, id)).status).toBe(204)
  })
})

describe('an inactive advertiser', () => {
  it('is offered for no new report, and its accounts stay in reports', async () => {
    const { id, name } = await take(staff)
    const account = await api.account({ advertiser: id })
    const offered = async () => names(await staff.get('/api/ad/account/advertisers/'))
    const accounts = async (query: string) =>
      Object((await staff.get(`/api/ad/account/?limit=100&${query}`)).body).results.map(
        (each: { id: number }) => each.id,
      )
    expect(await offered()).toContain(name)
    expect(await accounts('channel=fb')).toContain(account)
    await staff.patch(`${PATH}${id}/`, { version: 1, is_active: false })
    expect(await offered()).not.toContain(name)
    expect(await accounts('channel=fb')).not.toContain(account)
    for (const query of [`ids=${account}`, `advertiser=${id}`])
      expect(await accounts(query)).toContain(account)
    const channels = [{ channel: 'fb', accounts: [account], metrics: ['cost'] }]
    expect((await staff.report({ channels })).id).toBeGreaterThan(0)
  })
})

describe('the months of spend of an advertiser', () => {
  it('are 13, by channel and currency, of those whom one serves', async () => {
    const { id } = await take(staff)
    const [first, second] = [await api.account({ advertiser: id }), await api.account({ advertiser: id })]
    const now = api.clock.now.toISOString().slice(0, 7)
    const month = (back: number) => Temporal.PlainYearMonth.from(now).subtract({ months: back }).toString()
    const spent = (ad_account: number, back: number, cost: number | null, known: 'full' | 'none' = 'full') =>
      api.db
        .insertInto('spend_month')
        .values({
          ad_account,
          month: `${month(back)}-01`,
          cost,
          known,
          origin: 'platform',
          as_of: api.clock.now,
        })
        .execute()
    await spent(first, 1, 1_000_000)
    await spent(second, 1, 2_000_000)
    await spent(first, 2, 3_000_000)
    await spent(first, 3, null, 'none')
    await spent(first, 13, 9_000_000)
    for (const who of [staff, boss, finance]) {
      const { months, series } = AdvertiserSpend.parse((await who.get(`${PATH}${id}/spend/`)).body)
      expect([months.length, months[0], months.at(-1)]).toEqual([13, month(12), month(0)])
      expect(series).toHaveLength(1)
      expect(series[0]?.cost.slice(-4)).toEqual([null, 3_000_000, 3_000_000, null])
      expect(series[0]?.known.slice(-4)).toEqual(['none', 'partial', 'full', 'none'])
      expect(series[0]?.cost.slice(0, 9)).toEqual(Array(9).fill(null))
    }
    expectRefusal(await other.get(`${PATH}${id}/spend/`), 404, 'not_found')
  })
})

describe('the accounts of an advertiser', () => {
  it('are assigned, moved and removed', async () => {
    const [first, second] = [await take(), await take()]
    const account = await api.account({ advertiser: null })
    const give = (advertiser: number) => boss.post(AD_ACCOUNTS, { advertiser, ad_accounts: [account] })
    expect(related(await give(first.id))).toEqual([account])
    expect(related(await give(second.id))).toEqual([account])
    expect(related(await boss.get(`${AD_ACCOUNTS}?advertiser=${first.id}`))).toEqual([])
    const removal = await boss.delete(AD_ACCOUNTS, { advertiser: second.id, ad_accounts: [account] })
    expect(related(removal)).toEqual([])
  })

  it('can be used by its members, and taken over by nobody else', async () => {
    const mine = await take(staff)
    const theirs = await take(other)
    const account = await api.account({ advertiser: null })
    await boss.post(AD_ACCOUNTS, { advertiser: mine.id, ad_accounts: [account] })
    expect((await staff.get(`/api/ad/account/${account}/`)).status).toBe(200)
    expect((await other.get(`/api/ad/account/${account}/`)).status).toBe(404)
    const grab = await other.post(AD_ACCOUNTS, { advertiser: theirs.id, ad_accounts: [account] })
    expectRefusal(grab, 400, 'invalid', { ad_accounts: ['field_not_available'] })
    const nobodys = await api.account({ advertiser: null })
    const claim = await staff.post(AD_ACCOUNTS, { advertiser: mine.id, ad_accounts: [nobodys] })
    expectRefusal(claim, 400, 'invalid', { ad_accounts: ['field_not_available'] })
  })

  it('are not removed from an advertiser that they do not belong to', async () => {
    const [first, second] = [await take(), await take()]
    const account = await api.account({ advertiser: null })
    await boss.post(AD_ACCOUNTS, { advertiser: first.id, ad_accounts: [account] })
    const taken = await boss.delete(AD_ACCOUNTS, { advertiser: second.id, ad_accounts: [account] })
    expectRefusal(taken, 400, 'invalid', { ad_accounts: ['field_not_available'] })
  })
})

let rows = 0

async function anIndustry() {
  const name = `Industry ${(rows += 1)}`
  const { id } = await api.db
    .insertInto('industry')
    .values({ name, name_zh: name })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function anAgent() {
  const { id } = await api.db
    .insertInto('agent')
    .values({ name: `Agent ${(rows += 1)}` })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function agree(
  advertiser: number,
  {
    rates = [1500],
    ...facts
  }: { from_month: string; to_month?: string; channel?: 'fb'; rates?: number[]; amount?: number },
) {
  const tiers = rates.map((rate, at) => ({
    up_to: at === rates.length - 1 ? null : (at + 1) * 1_000_000,
    rate,
  }))
  await api.db
    .insertInto('fee_agreement')
    .values({ advertiser, currency: 'TWD', tiers: JSON.stringify(tiers), ...facts })
    .execute()
}

async function anOrder(advertiser: number, { status, end }: { status: 'accepted' | 'sent'; end: string }) {
  const { id } = await api.db
    .insertInto('quotation')
    .values({
      advertiser,
      status,
      title: 'Order',
      owner: boss.user.id,
      currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      language: 'en',
      payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('quotation_line')
    .values({
      quotation: id,
      position: 0,
      start: '2020-01-01',
      end,
      pricing: 'budget',
      budget: 1,
      media: 1,
      fee: 0,
    })
    .execute()
  return id
}

async function aPayment(
  advertiser: number,
  { amount, ...facts }: { quotation: number; amount: number; received?: number; due_on: string },
) {
  await api.db
    .insertInto('payment')
    .values({
      number: `P-${(rows += 1)}`,
      advertiser,
      amount,
      untaxed: amount,
      taxable: 0,
      tax_amount: 0,
      currency: 'TWD',
      issue_on: '2026-01-01',
      ...facts,
    })
    .execute()
}
