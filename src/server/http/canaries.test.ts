import { randomUUID } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '#server/app.ts'
import { writeAudit } from '#server/resources/audit/queries.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { insertBlobs, insertFile, insertImage } from '#server/files/testing/materials.ts'
import { testApi, type Client } from './testing/api.ts'

/**
 * Every text of client B is unique. Client A calls every route that they may, looks for B's things by name
 * and by id, and must never read one of those texts.
 */
const api = await testApi()
const CANARY = /canary-[0-9a-f]{8}/i
const planted: string[] = []
const canary = () => {
  const text = `canary-${randomUUID().slice(0, 8)}`
  planted.push(text)
  return text
}

/** Client B with everything that a client can have, each text of it a canary. */
async function plant() {
  const b = await api.signedIn('external_user', {
    username: canary(),
    full_name: canary(),
    email: `${canary()}@example.com`,
  })
  await api.db
    .updateTable('users')
    .set({
      position: canary(),
      company_extension: canary(),
      contacts: JSON.stringify([{ type: 0, value: canary() }]),
    })
    .where('id', '=', b.user.id)
    .execute()
  const advertiser = await api.advertiser(canary(), [b.user.id])
  const account = await api.account({ advertiser, name: canary(), external_id: canary() })
  await api.db.updateTable('ad_account').set({ ecid: canary() }).where('id', '=', account).execute()
  const folder = await b.folder({ name: canary() })
  const spreadsheet = canary() + canary()
  const report = await b.report({
    name: canary(),
    folder: folder.id,
    spreadsheet_url: `https://docs.google.com/spreadsheets/d/${spreadsheet}/edit`,
    sheet_name: canary(),
    channels: [
      {
        channel: 'fb',
        label: canary(),
        accounts: [account],
        metrics: ['cost'],
        filters: [{ field: 'campaign_name', rule: 'CONTAINS', values: [canary()] }],
      },
    ],
  })
  await api.db
    .insertInto('spreadsheet_binding')
    .values({
      spreadsheet_id: spreadsheet,
      advertiser,
      proven_by: b.user.id,
      proof: 'permission',
      title: canary(),
    })
    .execute()
  const run = randomUUID()
  await api.db
    .insertInto('run')
    .values({
      id: run,
      report: report.id,
      trigger: 'click',
      status: 'error',
      owner: b.user.id,
      code: canary(),
      detail: JSON.stringify({ name: canary() }),
      rows: 1,
      table_rows: 1,
      table_columns: JSON.stringify([{ title: canary(), format: { kind: 'text' } }]),
      table_attempt: 1,
    })
    .execute()
  const rows = JSON.stringify([[canary()], [canary()]])
  await api.db
    .insertInto('run_chunk')
    .values({ run, attempt: 1, seq: 0, first_row: 0, rows: 2, bytes: zstdCompressSync(rows) })
    .execute()
  const execution = randomUUID()
  await api.db.insertInto('execution').values({ id: execution, created_by: b.user.id }).execute()
  await api.db.insertInto('execution_run').values({ execution, run, position: 0 }).execute()
  const detail = { channels: [canary()], person: canary(), login: canary() }
  await insertNotices(
    api.db,
    [{ user_id: b.user.id, kind: 'report_failed', report: report.id, run, detail }],
    api.clock.now,
  )
  await b.post(`/api/gs-template-setting/${report.id}/favourite/`)
  await b.post('/api/gs-template-view/', { name: canary(), filters: { search: canary() } })
  const deleted = await b.report({ name: canary() })
  await b.delete(`/api/gs-template-setting/${deleted.id}/`)
  const quotation = await orderOf(advertiser)
  const settings = [
    ...(await settingsOf(advertiser, canary)),
    ...(await audiencesOf(advertiser, account)),
    ...(await businessOf(account)),
    ...(await linksOf(advertiser)),
    ...(await materialsOf(advertiser, canary)),
  ]
  return {
    b,
    quotation,
    settings,
    advertiser,
    account,
    folder: folder.id,
    report: report.id,
    deleted: deleted.id,
    run,
    execution,
  }
}

/** Of an advertiser, written for them by the agency. */
async function orderOf(advertiser: number): Promise<number> {
  const { user } = await api.signedIn('staff')
  const { id } = await api.db
    .insertInto('quotation')
    .values({
      title: canary(),
      advertiser,
      owner: user.id,
      currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      language: 'en',
      payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
      terms: canary(),
      client_po: canary(),
      internal_note: canary(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const span = {
    start: '2026-11-01',
    end: '2026-11-30',
    pricing: 'budget',
    budget: 0,
    media: 0,
    fee: 0,
  } as const
  await api.db
    .insertInto('quotation_line')
    .values({ quotation: id, position: 0, title: canary(), publisher: canary(), ...span })
    .execute()
  const bytes = Buffer.from(canary())
  await api.db
    .insertInto('quotation_file')
    .values({
      quotation: id,
      kind: 'acceptance',
      name: canary(),
      mime: 'application/pdf',
      sha256: bytes,
      bytes,
    })
    .execute()
  const money = { untaxed: 0, taxable: 0, tax_amount: 0, amount: 0, currency: 'TWD' }
  const days = { issue_on: '2026-11-01', due_on: '2026-11-30' }
  await api.db
    .insertInto('payment')
    .values({ number: canary(), quotation: id, advertiser, note: canary(), ...money, ...days })
    .execute()
  return id
}

/** An audience of a site, shared with the account; their ids. */
async function audiencesOf(advertiser: number, ad_account: number): Promise<number[]> {
  const pixels = JSON.stringify([{ platform: 'meta', id: canary() }])
  const { id: site } = await api.db
    .insertInto('site')
    .values({ advertiser, name: canary(), url: canary(), pixels })
    .returning('id')
    .executeTakeFirstOrThrow()
  const texts = { name: canary(), description: canary(), basis: canary(), ga4_audience: canary() }
  const rule = JSON.stringify({ match: 'event', values: [canary()] })
  const { id: audience } = await api.db
    .insertInto('audience')
    .values({ advertiser, kind: 'website', site, rule, ...texts })
    .returning('id')
    .executeTakeFirstOrThrow()
  const times = { created_at: api.clock.now, last_modified_at: api.clock.now }
  const [upload, session] = [randomUUID(), randomUUID()]
  await api.db
    .insertInto('audience_upload')
    .values({ id: upload, audience, session, action: 'add', columns: ['email'], basis: canary(), ...times })
    .execute()
  await sql`
    insert into audience_share (audience, ad_account, mode, state, business, size, match, message, request_id, parts, created_at, last_modified_at)
    values (${audience}, ${ad_account}, 'home', 'ready', ${canary()}, ${canary()}, ${canary()}, ${canary()}, ${canary()},
      ${JSON.stringify([{ part: 'all', external_id: canary(), progress: {} }])}, now(), now())`.execute(
    api.db,
  )
  const facts = { advertiser, columns: ['email' as const], rows: 1, sealed: null, finished_at: null }
  const { id: erasure } = await api.db
    .insertInto('erasure')
    .values({ ...facts, created_at: api.clock.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('erasure_account')
    .values({ erasure, ad_account, outcome: 'failed', code: canary() })
    .execute()
  const detail = { ad_accounts: [ad_account], changes: { name: { from: canary(), to: canary() } } }
  const line = { actor: null, action: 'audience.change', object: 'audience', object_id: audience, detail }
  await writeAudit(api.db, line, api.clock.now)
  return [site, audience, erasure, await targetAudienceOf(advertiser, { audience, text: canary })]
}

async function targetAudienceOf(
  advertiser: number,
  { audience, text }: { audience?: number; text: () => string },
): Promise<number> {
  const locations = JSON.stringify([{ country: 'TW', city: text() }])
  const texts = { name: text(), interests: [text()], locations, note: text() }
  const { id } = await api.db
    .insertInto('target_audience')
    .values({ advertiser, age_min: 18, age_max: 65, ...texts })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (audience !== undefined)
    await api.db
      .insertInto('target_audience_list')
      .values({ target_audience: id, audience, side: 'include', position: 0 })
      .execute()
  return id
}

/** A campaign link and a preset; their ids. */
async function linksOf(advertiser: number): Promise<number[]> {
  const values = JSON.stringify({ utm_source: canary() })
  const { id: preset } = await api.db
    .insertInto('link_preset')
    .values({ advertiser, name: canary(), values, allowed: JSON.stringify({ utm_medium: [canary()] }) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const utm = { utm_source: canary(), utm_medium: canary(), utm_campaign: canary(), utm_content: canary() }
  const extra = JSON.stringify([{ key: canary(), value: canary() }])
  const check = JSON.stringify({
    outcome: 'ok',
    hops: [{ url: canary(), status: 200 }],
    checked_at: canary(),
  })
  const address = { name: canary(), landing_url: canary(), link: canary(), ga4_channel: 'Email' } as const
  const { id: link } = await api.db
    .insertInto('link')
    .values({ advertiser, preset, ...utm, ...address, extra, check })
    .returning('id')
    .executeTakeFirstOrThrow()
  return [preset, link]
}

/**
 * The business manager that the account stands in, which client A has too: its own name is known to both. Its
 * id, and the account's in it.
 */
async function businessOf(ad_account: number): Promise<number[]> {
  const { id: business } = await api.db
    .insertInto('business')
    .values({ external_id: randomUUID(), name: 'Agency' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { external_id: account } = await api.db
    .selectFrom('ad_account')
    .select('external_id')
    .where('id', '=', ad_account)
    .executeTakeFirstOrThrow()
  const funding = JSON.stringify({ type: 'card', label: canary() })
  const texts = { account, name: canary(), timezone: canary(), currency: canary(), funding }
  const { id } = await api.db
    .insertInto('business_ad_account')
    .values({ business, relation: 'client', status: 1, listed_at: api.clock.now, ...texts })
    .returning('id')
    .executeTakeFirstOrThrow()
  return [business, id]
}

/** An image and a file, each text one to be found; their ids. */
async function materialsOf(advertiser: number, text: () => string): Promise<number[]> {
  const [sha256 = ''] = await insertBlobs(api.db, 1)
  const { id: image } = await insertImage(api.db, {
    sha256,
    preview_320: sha256,
    preview_1280: sha256,
    advertiser,
  })
  const { id: file } = await insertFile(api.db, { sha256, advertiser })
  for (const [table, id] of [
    ['image', image],
    ['file', file],
  ] as const) {
    const tags = [text(), text()]
    await sql`update ${sql.table(table)} set name = ${text()}, tags = ${tags} where id = ${id}`.execute(
      api.db,
    )
  }
  return [image, file]
}

/** What the agency means by numbers of an advertiser, each text one to be found; their ids. */
async function settingsOf(advertiser: number, text: () => string): Promise<number[]> {
  const named = () => ({ advertiser, name: text(), name_zh: text() })
  const metric = { ...named(), explanation: text(), formula: 'cost', unit: 'money', decimals: 2 } as const
  const definition = { ...named(), entries: JSON.stringify([{ channel: 'fb', action: text() }]) }
  const label = { advertiser, channel: null, metric: 'cost', label: text(), label_zh: text() }
  const made = [
    api.db.insertInto('calculated_metric').values(metric).returning('id'),
    api.db.insertInto('conversion_definition').values(definition).returning('id'),
    api.db.insertInto('metric_label').values(label).returning('id'),
  ]
  return await Promise.all(made.map(async each => (await each.executeTakeFirstOrThrow()).id))
}

it(
  'client A never reads a text of client B',
  async () => {
    const theirs = await plant()
    const a = await api.signedIn('external_user')
    const ownAdvertiser = await api.advertiser('Client A', [a.user.id])
    const ownAccount = await api.account({ advertiser: ownAdvertiser })
    const own = await a.report()
    await a.folder()
    // Who has the plan may write as well.
    await api.db.updateTable('users').set({ plan: 1 }).where('id', '=', a.user.id).execute()
    const created_at = api.clock.now
    for (const { id: business } of await api.db.selectFrom('business').select('id').execute())
      for (const user_id of [a.user.id, theirs.b.user.id])
        await api.db.insertInto('business_member').values({ business, user_id, created_at }).execute()

    const leaks: string[] = []
    let requests = 0
    const call = async (method: string, path: string, body?: unknown) => {
      requests += 1
      // A response without end, and what would end A's session.
      if (/events|logout/.test(path)) return
      const response = await a.call(method, path, body)
      const text = JSON.stringify([response.body, Object.fromEntries(response.headers)])
      // What A has searched for by name is repeated in the paths to other pages; no other text may appear.
      const found = text.replaceAll(/"(next|previous)":"[^"]*"/g, '').match(CANARY)
      if (found) leaks.push(`${method} ${path}: ${found[0]}`)
    }

    for (const { method, path, facts } of routes) {
      for (const id of new Set([
        theirs.report,
        theirs.deleted,
        theirs.folder,
        theirs.account,
        theirs.b.user.id,
        theirs.execution,
        theirs.quotation,
        ...theirs.settings,
      ])) {
        const named = path
          .replace(/:(id|user_id)/, String(id))
          .replace(/:user_id/, String(theirs.b.user.id))
          .replace(/:version/, '1')
          .replace(/:\w+/, theirs.run)
        for (const body of facts.body ? bodiesAbout(theirs, ownAccount) : [undefined])
          await call(method, named, body)
      }
    }
    const lists = [
      '/api/gs-template-setting/',
      '/api/gs-template-folder/',
      '/api/ad/account/',
      '/api/ad/account/advertisers/',
      '/api/user/',
      '/api/notifications/',
      '/api/ad_insertion/quotation/',
      '/api/ad_insertion/payment/',
      '/api/insight-setting/metrics/',
      '/api/insight-setting/conversions/',
      '/api/insight-setting/labels/',
      '/api/lta/',
      '/api/lta/erase/',
      '/api/ad/',
      '/api/ad/preset/',
      '/api/fb-business/adaccount/',
      '/api/targetaudience/',
      '/api/site/',
      '/api/publisher/',
      '/api/image/',
      '/api/image/tags/',
      '/api/file/',
      '/api/file/tags/',
    ]
    for (const list of lists)
      for (const query of [...planted.map(text => `search=${text}`), ...filters(theirs)])
        await call('GET', `${list}?${query}`)
    if (process.env['LONG']) for (const path of questions(theirs, own.id)) await call('GET', path)
    const { audience, site } = await api.db
      .selectFrom('audience')
      .select(['id as audience', 'site'])
      .executeTakeFirstOrThrow()
    const people = { columns: ['email'], rows: [['a'.repeat(64)]] }
    for (const advertiser of [theirs.advertiser, ownAdvertiser])
      for (const facts of [
        { kind: 'website', site, rule: { match: 'all' } },
        { kind: 'lookalike', seed: audience, country: 'TW', ratio: 1 },
        { kind: 'ga4', ga4_view: theirs.account, ga4_audience: '1' },
      ])
        await call('POST', '/api/lta/', { advertiser, name: 'x', ...facts })
    await call('POST', '/api/lta/share-custom-audience/', { audience, ad_accounts: [theirs.account] })
    await call('POST', '/api/lta/erase/', { advertiser: theirs.advertiser, ...people })
    await call('GET', `/api/lta/check-ad-account-permission/?ad_account=${theirs.account}`)
    await call('GET', `/api/lta/sources/?advertiser=${theirs.advertiser}`)
    await call('PATCH', `/api/gs-template-setting/${own.id}/`, {
      version: own.version,
      folder: theirs.folder,
    })
    await call('GET', `/api/gs-template-setting/${own.id}/`)
    for (const text of planted) {
      const id = text + text
      const { body } = await a.get(`/api/ad/gs_permission_check/?spreadsheet_url=${id}`)
      // An id that A sends comes back as an address, and nothing else.
      const { spreadsheet_url, ...rest } = Object(body)
      expect(spreadsheet_url).toBe(`https://docs.google.com/spreadsheets/d/${id}/edit`)
      expect(JSON.stringify(rest)).not.toMatch(CANARY)
    }

    console.log(`${requests} calls about ${planted.length} texts: ${leaks.length} seen`)
    expect(planted.length).toBeGreaterThan(15)
    const table = `/api/gs-template-setting/${theirs.report}/runs/${theirs.run}/table/`
    for (const path of [lists[0] ?? '', table, '/api/lta/', '/api/lta/erase/', '/api/fb-business/adaccount/'])
      expect(JSON.stringify((await theirs.b.get(path)).body)).toMatch(CANARY)
    expect(leaks).toEqual([])
    expect(await countedBy(a)).toEqual({ reports: await ownReports(a), accounts: 1, people: 1 })
    // Some thousands of calls, one after the other: 16 s on a busy machine.
  },
  process.env['LONG'] ? 1_800_000 : 240_000,
)

it(
  'staff never read a text of a customer whom they do not serve',
  async () => {
    const staff = await api.signedIn('staff', { department: 2 })
    const own = await api.advertiser('Whom they serve', [staff.user.id])
    const theirs = await plantCustomer()
    const { audience, site } = theirs
    const leaks: string[] = []
    const call = async (method: string, path: string, body?: unknown) => {
      if (/events|logout/.test(path)) return
      const response = await staff.call(method, path, body)
      const text = JSON.stringify([response.body, Object.fromEntries(response.headers)])
      const found = text.replaceAll(/"(next|previous)":"[^"]*"/g, '').match(CUSTOMER)
      if (found) leaks.push(`${method} ${path}: ${found[0]}`)
    }
    for (const { method, path, facts } of routes)
      for (const id of [
        theirs.advertiser,
        theirs.agreement,
        theirs.quotation,
        site,
        audience,
        ...theirs.settings,
      ])
        await call(
          method,
          path
            .replace(':id', String(path.includes('advertiser') ? theirs.advertiser : id))
            .replace(/:\w+/, String(id)),
          facts.body && { version: 1, advertiser: theirs.advertiser, name: 'x' },
        )
    for (const side of ['include', 'exclude']) {
      const facts = { name: 'x', audience_lists: { [side]: [audience] } }
      await call('POST', '/api/targetaudience/', { advertiser: own, ...facts })
    }
    await call('POST', '/api/site/', { advertiser: theirs.advertiser, name: 'x', url: 'https://x.demo' })
    await call('GET', `/api/targetaudience/?audience=${audience}`)
    await call('GET', `/api/lta/sources/?advertiser=${theirs.advertiser}`)
    const nouns = ['advertiser', 'industry', 'agent', 'ad_insertion/quotation', 'ad_insertion/payment']
    const planned = ['targetaudience', 'site', 'publisher', 'lta']
    await call('GET', '/api/image/tags/')
    await call('GET', '/api/file/tags/')
    const settings = ['metrics', 'conversions', 'labels'].map(noun => `insight-setting/${noun}`)
    for (const noun of [...nouns, ...planned, ...settings, 'image', 'file'])
      for (const text of theirs.texts)
        for (const query of [`search=${text}`, `search=${text}&format=csv`, 'format=csv'])
          await call('GET', `/api/${noun}/?${query}`)
    for (const text of theirs.texts) await call('GET', `/api/search/?search=${text}`)
    const boss = await api.signedIn('superuser')
    const { body } = await boss.get(`/api/advertiser/${theirs.advertiser}/`)
    for (const text of theirs.texts) expect(JSON.stringify(body)).toContain(text)
    expect(leaks).toEqual([])
  },
  process.env['LONG'] ? 600_000 : 240_000,
)

/** The agency's people know all clients by name: these texts are of no person. */
const CUSTOMER = /customer-[0-9a-f]{8}/i
const customerText = () => `customer-${randomUUID().slice(0, 8)}`

/** A customer whose every text is such a one, with a fee agreement and a draft. */
async function plantCustomer() {
  const texts = Array.from({ length: 6 }, customerText)
  const [legal_name = '', address = '', note = '', tax_id = '', website = '', name = ''] = texts
  const advertiser = await api.advertiser(customerText())
  await api.db
    .updateTable('advertiser')
    .set({
      legal_name,
      address,
      note,
      tax_country: 'other',
      tax_id,
      website: `https://example.com/${website}`,
      contacts: JSON.stringify([{ name, title: '', phone: '', email: '', is_billing: false }]),
    })
    .where('id', '=', advertiser)
    .execute()
  const { id: agreement } = await api.db
    .insertInto('fee_agreement')
    .values({ advertiser, currency: 'TWD', from_month: '2026-01-01', tiers: '[{"up_to":null,"rate":1500}]' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const boss = await api.signedIn('superuser')
  const draft = await boss.post('/api/ad_insertion/quotation/', {
    advertiser,
    title: customerText(),
    currency: 'TWD',
    lines: [],
  })
  expect(draft.status, JSON.stringify(draft.body)).toBe(201)
  const pixels = JSON.stringify([{ platform: 'meta', id: customerText() }])
  const { id: site } = await api.db
    .insertInto('site')
    .values({ advertiser, name: customerText(), url: customerText(), pixels })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: audience } = await api.db
    .insertInto('audience')
    .values({ advertiser, kind: 'customer_file', name: customerText(), description: customerText() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const planned = await targetAudienceOf(advertiser, { audience, text: customerText })
  return {
    advertiser,
    agreement,
    quotation: Number(Object(draft.body).id),
    site,
    audience,
    settings: [
      ...(await settingsOf(advertiser, customerText)),
      ...(await materialsOf(advertiser, customerText)),
      planned,
    ],
    texts,
  }
}

/**
 * Every list and every other reading call, with every filter and ordering, as JSON and as CSV, about
 * everything of B's.
 */
function questions(theirs: Theirs, own: number): string[] {
  const { b, advertiser, account, folder, report, deleted, run, execution } = theirs
  const ids = [b.user.id, advertiser, account, folder, report, deleted]
  return routes
    .filter(({ method }) => method === 'GET')
    .flatMap(({ path, facts }) => {
      const paths = [own, ...ids].map(id =>
        path
          .replace(/:(id|user_id)/, path.includes('execution') ? execution : String(id))
          .replace(/:user_id/, String(b.user.id))
          .replace(/:\w+/, run),
      )
      const { properties = {} } = facts.query
        ? z.toJSONSchema(facts.query, { io: 'input', unrepresentable: 'any' })
        : {}
      const filled = Object.entries(properties).flatMap(([filter, schema]) => {
        const { enum: choices } = Object(schema) as { enum?: unknown[] }
        const values =
          choices ?? (/search|name|field|url|title/.test(filter) ? planted : [...ids, ...planted])
        return values.map(value => `${filter}=${encodeURIComponent(String(value))}`)
      })
      const queries = ['', ...filled, ...filled.map(query => `${query}&format=csv`)]
      return [...new Set(paths)].flatMap(named => queries.map(query => `${named}?${query}`))
    })
}

type Theirs = Awaited<ReturnType<typeof plant>>

/** Bodies of every kind that name something of B's. */
function bodiesAbout(theirs: Theirs, ownAccount: number): unknown[] {
  const channels = [{ channel: 'fb', accounts: [theirs.account, ownAccount], metrics: ['cost'] }]
  return [
    {},
    { name: 'x', parent: theirs.folder },
    { version: 1, channels },
    { channels, dimensions: ['date'] },
    { user: theirs.b.user.id, access: 'viewer' },
    { to_user: theirs.b.user.id, folder: theirs.folder },
    { action: 'copy', ids: [theirs.report, theirs.deleted], folder: theirs.folder },
    { action: 'restore', ids: [theirs.report, theirs.deleted] },
    { reports: [theirs.report] },
    { folder: theirs.folder },
    { mode: 'deleteitems' },
    { version: 1 },
    { version: 1, title: 'x', advertiser: theirs.advertiser },
    { from: theirs.account, to: ownAccount },
    { from: ownAccount, to: theirs.account },
    { from: ownAccount, to: ownAccount + 1, reports: [{ id: theirs.report }] },
    { reports: [{ id: theirs.report }], by: { months: 1 } },
    { source: { reports: [theirs.report] }, advertiser: theirs.advertiser },
    { source: { advertiser: theirs.advertiser }, advertiser: theirs.advertiser },
    {
      source: { folder: theirs.folder },
      advertiser: theirs.advertiser,
      accounts: [{ from: theirs.account, to: ownAccount }],
    },
  ]
}

const filters = ({ advertiser, account, folder }: Theirs) => [
  'limit=100',
  'ordering=name',
  'scope=shared',
  'scope=all',
  'deleted=true',
  `folder=${folder}`,
  `p=${folder}`,
  `advertiser=${advertiser}`,
  `ids=${account}`,
]

/** Counts would reveal B's things as well as names. */
async function countedBy(a: Client) {
  const count = async (path: string) => Object(Object((await a.get(path)).body)).count
  return {
    reports: await count('/api/gs-template-setting/'),
    accounts: await count('/api/ad/account/'),
    people: await count('/api/user/'),
  }
}

async function ownReports({ user }: Client) {
  const { count } = await api.db
    .selectFrom('report')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('owner', '=', user.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}
