import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { isAuditAction, isAuditField } from '#shared/audit.ts'
import { PublicAccountPlatform } from '#shared/api/public-accounts.ts'
import { scopesOf } from '#shared/connect.ts'
import { fbMetrics } from '#shared/channels/fb-metrics.ts'
import { routes } from '#server/app.ts'
import { testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import {
  batchOf,
  customerFile,
  filled,
  LTA,
  people,
  send,
  shareWith,
} from '#server/resources/audiences/testing/members.ts'
import { upload } from '#server/resources/materials/testing/uploads.ts'
import {
  act,
  PAYMENTS,
  paymentsOf,
  plainPdf,
  QUOTATIONS,
} from '#server/resources/quotations/testing/orders.ts'
import { REPORTS, ready } from '#server/resources/reports/testing/requests.ts'
import { testService } from '#server/sheets/testing/service.ts'

/**
 * Each route that changes something, or exports a list, leaves a line in the trail. Each has an entry: the
 * request, and the line that it leaves; or why it leaves none. A new route without an entry fails.
 */

interface Does {
  /** Returns what the line must contain: its object, and further details. */
  does: () => Promise<{ response: ApiResponse; id?: number | string | undefined; detail?: object }>
  action: string
}
type Entry = Does | { because: string } | { tested_in: string; action: string }

/** The states of people who were sent to a platform. */
const sentTo: string[] = []
const scopes = scopesOf('google', ['spreadsheets'])
const service = await testService()
const api = await testApi({
  effects: {
    pdf: plainPdf().renderer,
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: null }),
      access: async () => ({ result: 'ok', business: null, fix_url: null }),
    },
    followLink: async () => ({ outcome: 'ok', hops: [] }),
    connections: {
      begin: (_platform, { state }) => {
        sentTo.push(state)
        return { url: 'https://platform.test/', verifier: null }
      },
      exchange: async () => ({ login: { refresh_token: 'r' }, expires_at: null, scopes, person: null }),
      grantedScopes: async () => ({ scopes }),
      renew: async () => ({ login: {}, expires_at: null }),
      canRevoke: () => true,
      revoke: async () => null,
    },
    platforms: {
      test: async () => ({ result: 'ok', accounts: 1 }),
      importAccounts: async () => ({ accounts: 1, new: 1 }),
      countAccounts: async () => ({ total: 1, new: 1 }),
    },
  },
})
const { effects, db } = api
effects.settings = {
  ...effects.settings,
  built_in_sheets: { sheets: service.origin, drive: service.origin },
}
const tab = { title: 'New', sheet_id: 1, rows: 1000, columns: 26, hidden: false }
effects.spreadsheets = {
  ...effects.spreadsheets,
  findSystemUser: async () => ({ result: 'ok', title: 'A file', system_user: null, permissions: null }),
  addTab: async () => tab,
}

const PASSWORD = `pass-${randomUUID()}`
/** Tokens of password links. */
const handed_over: string[] = []
const boss = await api.signedIn('superuser', { full_name: 'Boss', password: PASSWORD })
const me = await ready(api)
const friend = await api.signedIn('staff')
await db
  .insertInto('advertiser_member')
  .values({ advertiser: me.advertiser, user_id: friend.user.id })
  .execute()
const artist = await api.signedIn('external_user', { email: 'client-a@aurora.demo' })

const id = (response: ApiResponse) => Number(Object(response.body).id)
const report = (fields: object = {}, client: Client = me) => client.report({ ...me.body, ...fields })
const person = async () => (await api.signedIn('staff')).user.id
const execute = async () => {
  const { id: of } = await report()
  const response = await me.post('/api/gs-template-execution/', { reports: [of] })
  const [first] = Object(response.body).reports
  return { of, response, execution: String(Object(response.body).id), run: String(first?.run) }
}
const login = { platform: 'meta', name: 'A login', login: { access_token: 'a-token-of-meta' } }
const publicAccount = async () => id(await boss.post('/api/public-account/', login))
const withKeeper = (public_account: number) =>
  boss.post('/api/public-account-user/', { public_account, user: friend.user.id })
const setUpApp = async (platform: 'meta' | 'google') => {
  const { body } = await boss.get('/api/public-account-platform/')
  const found = PublicAccountPlatform.array()
    .parse(body)
    .find(each => each.platform === platform)
  const changes = { version: found?.version, client_id: '460133700014200', client_secret: 'a-secret' }
  return await boss.patch(`/api/public-account-platform/${platform}/`, changes)
}
const connected = async () => {
  await setUpApp('google')
  const begun = await boss.post('/api/public-account/connect/', {
    platform: 'google',
    services: ['spreadsheets'],
  })
  const { nonce } = Object(begun.body)
  return await boss.post('/api/public-account/connect/finish/', {
    state: sentTo.at(-1),
    nonce,
    code: 'a-code',
  })
}
const bookOf = async (client: Client) => {
  const response = await client.post('/api/sheets/', { title: 'Book' })
  return { response, id: String(Object(response.body).id) }
}
const draft = (more: object = {}) =>
  me.post(QUOTATIONS, {
    advertiser: me.advertiser,
    title: 'Spring',
    lines: [{ title: 'A line', start: '2026-11-01', end: '2026-11-30', budget: 100_000_000 }],
    ...more,
  })
const sentDraft = async () => {
  const of = id(await draft())
  await act(me, of, 'send')
  return of
}
/** An accepted order and its payment. */
const dueFor = async () => {
  const quotation = await sentDraft()
  await act(me, quotation, 'accept', { accepted_on: '2026-11-01', accepted_by: 'Ms Chen' })
  const [payment] = await paymentsOf(me, quotation)
  return { quotation, payment: payment?.id ?? 0 }
}
const receiptFor = (payment: number) =>
  boss.post(`${PAYMENTS}${payment}/receipt/`, { version: 1, on: '2026-11-01', amount: 1_000_000 })
const sharedAudience = async (state: 'ready' | 'failed') => {
  const audience = await filled(boss, { advertiser: me.advertiser, rows: people(0, 3) })
  const { id: share, ad_account } = await shareWith(api, audience, { state })
  return { of: audience.id, share, ad_account }
}
const changed = (changes: object) => ({ changes })
const linkBody = () => ({
  advertiser: me.advertiser,
  landing_url: 'https://shop.aurora.demo/',
  utm_source: 'line',
  utm_medium: 'display',
  utm_campaign: randomUUID(),
})
const presetBody = () => ({ advertiser: me.advertiser, name: randomUUID() })
const linkOf = async () => id(await boss.post('/api/ad/', linkBody()))
const presetOf = async () => id(await boss.post('/api/ad/preset/', presetBody()))

const planned = (noun: string, facts: object) => me.post(`/api/${noun}/`, { name: randomUUID(), ...facts })
const targetAudience = () =>
  planned('targetaudience', { advertiser: me.advertiser, age_min: 20, age_max: 39 })
const site = () =>
  planned('site', {
    advertiser: me.advertiser,
    url: `https://${randomUUID()}.demo`,
    platform: 'shopline',
  })
const publisher = () => planned('publisher', { type: 'news' })

const invoiceOf = async (amount: number) => {
  const account = await api.account({ advertiser: me.advertiser })
  return id(await boss.post('/api/ad/ecspend/invoice/', { ad_account: account, month: '2030-01', amount }))
}
const adjustmentBody = () => ({
  advertiser: me.advertiser,
  channel: 'fb',
  month: '2030-01',
  currency: 'TWD',
  amount: -5_000_000,
  reason: 'credit',
})
/** A month before anything else, in which a customer owes something; locked if it is not. */
const lockedMonth = async () => {
  const account = await api.account({ advertiser: me.advertiser })
  await db
    .insertInto('spend_month')
    .values({
      ad_account: account,
      month: '2020-01-01',
      cost: 5_000_000,
      known: 'full',
      origin: 'import',
      as_of: new Date(),
    })
    .execute()
  return await boss.post('/api/ad/ecspend/lock/', { month: '2020-01' })
}

const settingNames = () => ({ advertiser: me.advertiser, name: randomUUID(), name_zh: '轉換' })
const metricBody = () => ({ ...settingNames(), formula: 'cost' })
const conversionBody = () => ({ ...settingNames(), entries: [{ channel: 'fb', metric: 'leads' }] })
/** Of another metric each time, since a metric has one. */
const unnamed = Object.keys(fbMetrics)
const labelBody = () => ({
  advertiser: me.advertiser,
  metric: unnamed.pop(),
  channel: 'fb',
  label: 'Name',
  label_zh: '名稱',
})
let ratedYear = 30
const rateBody = () => ({ month: `20${(ratedYear += 1)}-01`, currency: 'USD', rate: '1.5' })

/** The lines of creating, changing and deleting a setting. */
function ofSetting(
  path: string,
  setting: {
    noun: 'metric' | 'conversion' | 'label' | 'rate'
    body: () => object
    change: object
    created: () => object
    changed: object
    deleted: () => object
  },
): Record<string, Does> {
  const at = `/api/insight-setting/${path}/`
  const { noun } = setting
  return {
    [`POST ${at}`]: {
      action: `${noun}.create`,
      async does() {
        const response = await boss.post(at, setting.body())
        return { id: id(response), response, detail: changed(setting.created()) }
      },
    },
    [`PATCH ${at}:id/`]: {
      action: `${noun}.change`,
      async does() {
        const of = id(await boss.post(at, setting.body()))
        const response = await boss.patch(`${at}${of}/`, { version: 1, ...setting.change })
        return { id: of, response, detail: changed(setting.changed) }
      },
    },
    [`DELETE ${at}:id/`]: {
      action: `${noun}.delete`,
      async does() {
        const of = id(await boss.post(at, setting.body()))
        const response = await boss.delete(`${at}${of}/`, { version: 1 })
        return { id: of, response, detail: changed(setting.deleted()) }
      },
    },
  }
}

/** A picture that nobody has uploaded before. */
async function materialOf(kind: 'image' | 'file'): Promise<ApiResponse> {
  const background = `#${randomUUID().slice(0, 6)}`
  const bytes = await sharp({ create: { width: 150, height: 128, channels: 3, background } })
    .png()
    .toBuffer()
  return await upload(friend, { path: `/api/${kind}/`, bytes, advertiser: me.advertiser, tags: ['a'] })
}

/** The lines of uploading, changing and deleting one. */
function ofMaterial(kind: 'image' | 'file'): Record<string, Does> {
  const at = `/api/${kind}/`
  return {
    [`POST ${at}`]: {
      action: `${kind}.upload`,
      async does() {
        const response = await materialOf(kind)
        return { id: id(response), response, detail: { name: 'banner.png', advertiser: me.advertiser } }
      },
    },
    [`PATCH ${at}:id/`]: {
      action: `${kind}.change`,
      async does() {
        const of = id(await materialOf(kind))
        const response = await friend.patch(`${at}${of}/`, { version: 1, tags: ['b'] })
        return { id: of, response, detail: changed({ tags: { from: 1, to: 1 } }) }
      },
    },
    [`DELETE ${at}:id/`]: {
      action: `${kind}.delete`,
      async does() {
        const of = id(await materialOf(kind))
        const response = await friend.delete(`${at}${of}/`, { version: 1 })
        return { id: of, response, detail: { name: 'banner.png', tags: 1 } }
      },
    },
  }
}

const entries: Record<string, Entry> = {
  ...ofSetting('metrics', {
    noun: 'metric',
    body: metricBody,
    created: () => ({ formula: { from: null, to: 'cost' } }),
    change: { decimals: 3 },
    changed: { decimals: { from: 2, to: 3 } },
    deleted: () => ({ formula: { from: 'cost', to: null } }),
  }),
  ...ofSetting('conversions', {
    noun: 'conversion',
    body: conversionBody,
    created: () => ({ advertiser: { from: null, to: me.advertiser } }),
    change: { name_zh: '名單' },
    changed: { name_zh: { from: '轉換', to: '名單' } },
    deleted: () => ({ advertiser: { from: me.advertiser, to: null } }),
  }),
  ...ofSetting('labels', {
    noun: 'label',
    body: labelBody,
    created: () => ({ label: { from: null, to: 'Name' } }),
    change: { label: 'Spend' },
    changed: { label: { from: 'Name', to: 'Spend' } },
    deleted: () => ({ label: { from: 'Name', to: null } }),
  }),
  ...ofSetting('rates', {
    noun: 'rate',
    body: rateBody,
    created: () => ({ rate: { from: null, to: '1.5' } }),
    change: { rate: '2' },
    changed: { rate: { from: '1.5', to: '2' } },
    deleted: () => ({ rate: { from: '1.5', to: null } }),
  }),
  ...ofMaterial('image'),
  ...ofMaterial('file'),
  'POST /api/image/:id/fit/': {
    action: 'image.upload',
    async does() {
      const of = id(await materialOf('image'))
      const response = await friend.post(`/api/image/${of}/fit/`, { format: 'google_logo_square' })
      return { id: id(response), response, detail: { width: 128, height: 128 } }
    },
  },
  [`POST ${LTA}`]: {
    action: 'audience.create',
    async does() {
      const body = { advertiser: me.advertiser, kind: 'customer_file', name: randomUUID() }
      const response = await boss.post(LTA, body)
      return { id: id(response), response, detail: changed({ keep_days: { from: null, to: 30 } }) }
    },
  },
  [`PATCH ${LTA}:id/`]: {
    action: 'audience.change',
    async does() {
      const { id: of } = await customerFile(boss, { advertiser: me.advertiser })
      const response = await boss.patch(`${LTA}${of}/`, { version: 1, keep_days: 7 })
      return { id: of, response, detail: changed({ keep_days: { from: 30, to: 7 } }) }
    },
  },
  [`DELETE ${LTA}:id/`]: {
    action: 'audience.delete',
    async does() {
      const { id: of } = await customerFile(boss, { advertiser: me.advertiser })
      const response = await boss.delete(`${LTA}${of}/`, { version: 1 })
      return { id: of, response, detail: { kind: 'customer_file', rows: 0 } }
    },
  },
  [`POST ${LTA}:id/members/`]: {
    action: 'audience.upload',
    async does() {
      const audience = await customerFile(boss, { advertiser: me.advertiser })
      const response = await send(boss, audience, batchOf(people(0, 3)))
      return { id: audience.id, response, detail: { action: 'add', rows: 3 } }
    },
  },
  [`POST ${LTA}share-custom-audience/`]: {
    action: 'audience.share',
    async does() {
      const { id: of } = await filled(boss, { advertiser: me.advertiser, rows: people(0, 3) })
      const account = await api.account({ advertiser: me.advertiser })
      const body = { audience: of, ad_accounts: [account] }
      const response = await boss.post(`${LTA}share-custom-audience/`, body)
      return { id: of, response, detail: { ad_accounts: [account], refused: 0 } }
    },
  },
  [`POST ${LTA}:id/shares/:share/retry/`]: {
    action: 'audience.share',
    async does() {
      const { of, share, ad_account } = await sharedAudience('failed')
      const response = await boss.post(`${LTA}${of}/shares/${share}/retry/`)
      return { id: of, response, detail: { share, ad_accounts: [ad_account], retry: true } }
    },
  },
  [`PATCH ${LTA}:id/shares/:share/`]: {
    action: 'audience.change',
    async does() {
      const { of, share } = await sharedAudience('ready')
      const response = await boss.patch(`${LTA}${of}/shares/${share}/`, { auto_sync: false })
      return { id: of, response, detail: changed({ auto_sync: { from: true, to: false } }) }
    },
  },
  [`DELETE ${LTA}:id/shares/:share/`]: {
    action: 'audience.unshare',
    async does() {
      const { of, share, ad_account } = await sharedAudience('ready')
      const response = await boss.delete(`${LTA}${of}/shares/${share}/`)
      return { id: of, response, detail: { share, ad_accounts: [ad_account] } }
    },
  },
  [`POST ${LTA}erase/`]: {
    action: 'erasure.create',
    async does() {
      const { columns, rows } = batchOf(people(0, 1))
      const response = await boss.post(`${LTA}erase/`, { advertiser: me.advertiser, columns, rows })
      const of = Number(Object(response.body).erasure)
      return { id: of, response, detail: { advertiser: me.advertiser, rows: 1 } }
    },
  },
  'POST /api/ad/': {
    action: 'link.create',
    async does() {
      const response = await boss.post('/api/ad/', linkBody())
      return { id: id(response), response, detail: changed({ utm_source: { from: null, to: '…' } }) }
    },
  },
  'PATCH /api/ad/:id/': {
    action: 'link.change',
    async does() {
      const of = await linkOf()
      const response = await boss.patch(`/api/ad/${of}/`, { version: 1, utm_source: 'facebook' })
      return { id: of, response, detail: changed({ utm_source: { from: '…', to: '…' } }) }
    },
  },
  'DELETE /api/ad/:id/': {
    action: 'link.delete',
    async does() {
      const of = await linkOf()
      return { id: of, response: await boss.delete(`/api/ad/${of}/`, { version: 1 }) }
    },
  },
  'POST /api/ad/bulk/': {
    action: 'link.create',
    async does() {
      const body = linkBody()
      return {
        response: await boss.post('/api/ad/bulk/', { rows: [{ ...body, name: body.utm_campaign }] }),
        detail: { name: body.utm_campaign },
      }
    },
  },
  'POST /api/ad/:id/check/': {
    action: 'link.check',
    async does() {
      const of = await linkOf()
      return { id: of, response: await boss.post(`/api/ad/${of}/check/`) }
    },
  },
  'POST /api/ad/preset/': {
    action: 'preset.create',
    async does() {
      const body = presetBody()
      const response = await boss.post('/api/ad/preset/', body)
      return { id: id(response), response, detail: { name: body.name } }
    },
  },
  'PATCH /api/ad/preset/:id/': {
    action: 'preset.change',
    async does() {
      const of = await presetOf()
      const response = await boss.patch(`/api/ad/preset/${of}/`, { version: 1, platform: 'line' })
      return { id: of, response, detail: changed({ platform: { from: null, to: 'line' } }) }
    },
  },
  'DELETE /api/ad/preset/:id/': {
    action: 'preset.delete',
    async does() {
      const of = await presetOf()
      return { id: of, response: await boss.delete(`/api/ad/preset/${of}/`, { version: 1 }) }
    },
  },
  'POST /api/insight-setting/rates/import/': {
    action: 'rate.import',
    async does() {
      const { month, currency } = rateBody()
      const file = new FormData()
      file.set('file', new File([`month,currency,rate\n${month},${currency},0.5`], 'rates.csv'))
      const response = await boss.post('/api/insight-setting/rates/import/', file)
      return { id: month, response, detail: changed({ [currency]: { from: null, to: '0.5' } }) }
    },
  },
  'POST /api/ad/ecspend/invoice/': {
    action: 'platform_invoice.create',
    async does() {
      const body = {
        ad_account: await api.account({ advertiser: me.advertiser }),
        month: '2030-01',
        amount: 7_000_000,
      }
      const response = await boss.post('/api/ad/ecspend/invoice/', body)
      return { response, id: id(response), detail: changed({ amount: { from: null, to: 7_000_000 } }) }
    },
  },
  'PATCH /api/ad/ecspend/invoice/:id/': {
    action: 'platform_invoice.change',
    async does() {
      const of = await invoiceOf(9_000_000)
      const response = await boss.patch(`/api/ad/ecspend/invoice/${of}/`, { version: 1, amount: 8_000_000 })
      return { id: of, response, detail: changed({ amount: { from: 9_000_000, to: 8_000_000 } }) }
    },
  },
  'DELETE /api/ad/ecspend/invoice/:id/': {
    action: 'platform_invoice.delete',
    async does() {
      const of = await invoiceOf(9_000_000)
      const response = await boss.delete(`/api/ad/ecspend/invoice/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ amount: { from: 9_000_000, to: null } }) }
    },
  },
  'POST /api/ad/ecspend/adjustment/': {
    action: 'adjustment.create',
    async does() {
      const response = await boss.post('/api/ad/ecspend/adjustment/', adjustmentBody())
      return { response, id: id(response), detail: changed({ amount: { from: null, to: -5_000_000 } }) }
    },
  },
  'PATCH /api/ad/ecspend/adjustment/:id/': {
    action: 'adjustment.change',
    async does() {
      const of = id(await boss.post('/api/ad/ecspend/adjustment/', adjustmentBody()))
      const response = await boss.patch(`/api/ad/ecspend/adjustment/${of}/`, { version: 1, reason: 'coupon' })
      return { id: of, response, detail: changed({ reason: { from: 'credit', to: 'coupon' } }) }
    },
  },
  'DELETE /api/ad/ecspend/adjustment/:id/': {
    action: 'adjustment.delete',
    async does() {
      const of = id(await boss.post('/api/ad/ecspend/adjustment/', adjustmentBody()))
      const response = await boss.delete(`/api/ad/ecspend/adjustment/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ reason: { from: 'credit', to: null } }) }
    },
  },
  'POST /api/ad/ecspend/import/': {
    action: 'month.import',
    async does() {
      const of = await api.account({ advertiser: me.advertiser, external_id: randomUUID() })
      const { external_id } = await db
        .selectFrom('ad_account')
        .select('external_id')
        .where('id', '=', of)
        .executeTakeFirstOrThrow()
      const file = new FormData()
      file.set('file', new File([`month,account,cost\n2021-05,${external_id},12.5`], 'costs.csv'))
      const response = await boss.post('/api/ad/ecspend/import/', file)
      return { id: '2021-05', response, detail: changed({ [`cost.${of}`]: { from: null, to: 12_500_000 } }) }
    },
  },
  'POST /api/ad/ecspend/lock/': {
    action: 'month.lock',
    async does() {
      const response = await lockedMonth()
      return { id: '2020-01', response, detail: changed({ state: { from: 'open', to: 'locked' } }) }
    },
  },
  'POST /api/ad/ecspend/bill/': {
    action: 'month.bill',
    async does() {
      await lockedMonth()
      return {
        id: '2020-01',
        response: await boss.post('/api/ad/ecspend/bill/', { month: '2020-01' }),
        detail: { payments: 1 },
      }
    },
  },
  'POST /api/ad/ecspend/drift/': {
    action: 'adjustment.create',
    async does() {
      await lockedMonth()
      await db.updateTable('spend_month').set({ cost: 9_000_000 }).where('month', '=', '2020-01-01').execute()
      const body = { month: '2020-01', advertiser: me.advertiser }
      return {
        response: await boss.post('/api/ad/ecspend/drift/', body),
        detail: { reason: 'drift', amount: 4_000_000 },
      }
    },
  },
  'POST /api/ad/ecspend/unlock/': {
    action: 'month.unlock',
    async does() {
      await lockedMonth()
      await db.updateTable('payment').set({ status: 'void' }).execute()
      const response = await boss.post('/api/ad/ecspend/unlock/', { month: '2020-01', reason: 'a mistake' })
      return {
        id: '2020-01',
        response,
        detail: { reason: 'a mistake', ...changed({ state: { from: 'locked', to: 'open' } }) },
      }
    },
  },
  'POST /api/token/': {
    action: 'session.sign_in',
    does: async () => ({
      response: await api.anonymous.post('/api/token/', { username: boss.user.username, password: PASSWORD }),
    }),
  },
  'POST /api/token/refresh/': { because: 'prolongs a sign-in; a token that is used twice has a line' },
  'POST /api/token/revoke/': {
    action: 'session.sign_out',
    async does() {
      const { user } = await api.signedIn('staff', { password: PASSWORD })
      const signed_in = await api.anonymous.post('/api/token/', {
        username: user.username,
        password: PASSWORD,
      })
      const cookie = `refresh_token=${String(Object(signed_in.body).refresh)}`
      const headers = { cookie, origin: 'http://localhost:3000' }
      return { response: await api.anonymous.post('/api/token/revoke/', {}, { headers }) }
    },
  },
  'DELETE /api/sessions/:id/': {
    action: 'session.sign_out',
    async does() {
      const someone = await api.signedIn('staff')
      const of = someone.claims.family
      return { id: of, response: await someone.delete(`/api/sessions/${of}/`) }
    },
  },
  'POST /api/ad/account/:id/check/': { because: 'reads the account at its platform and changes nothing' },
  'PATCH /api/instructions/': {
    action: 'instructions.change',
    async does() {
      const response = await boss.patch('/api/instructions/', { meta_business_id: '123456789' })
      return { response, detail: changed({ meta_business_id: { from: null, to: '123456789' } }) }
    },
  },
  'POST /api/second-factor/': { because: 'a second factor counts once it is confirmed' },
  'POST /api/second-factor/confirm/': {
    tested_in: '../second-factor/second-factor.test.ts',
    action: 'user.second_factor_on',
  },
  'POST /api/second-factor/recovery-codes/': {
    tested_in: '../second-factor/second-factor.test.ts',
    action: 'user.recovery_codes_new',
  },
  'DELETE /api/second-factor/': {
    tested_in: '../second-factor/second-factor.test.ts',
    action: 'user.second_factor_off',
  },
  'DELETE /api/user/:id/second-factor/': {
    tested_in: '../second-factor/second-factor.test.ts',
    action: 'user.second_factor_reset',
  },
  'POST /api/token/logout/': {
    action: 'session.sign_out',
    does: async () => ({ response: await (await api.signedIn('staff')).post('/api/token/logout/') }),
  },
  'POST /api/set-password/': {
    action: 'user.set_password',
    async does() {
      const of = await person()
      const password = await boss.post(`/api/user/${of}/password-link/`)
      const token = /token=(.+)$/.exec(String(Object(password.body).url))?.[1] ?? ''
      handed_over.push(token)
      return {
        id: of,
        response: await api.anonymous.post('/api/set-password/', { token, password: PASSWORD }),
      }
    },
  },
  'PATCH /api/users/:user_id/': {
    action: 'user.change',
    async does() {
      const { user, patch } = await api.signedIn('staff', { full_name: 'Before' })
      const response = await patch(`/api/users/${user.id}/`, { full_name: 'After', language: 'zh-TW' })
      const detail = changed({
        full_name: { from: 'Before', to: 'After' },
        language: { from: 'en', to: 'zh-TW' },
      })
      return { id: user.id, response, detail }
    },
  },
  'POST /api/user/': {
    action: 'user.create',
    async does() {
      const body = { username: `u-${randomUUID()}`, full_name: 'New', identity: 'manager', department: 2 }
      const response = await boss.post('/api/user/', { ...body, advertisers: [me.advertiser] })
      return {
        id: Object(response.body).user_id,
        response,
        detail: changed({
          identity: { from: null, to: 'manager' },
          advertisers: { from: [], to: [me.advertiser], kept: 0 },
        }),
      }
    },
  },
  'PATCH /api/user/:id/': {
    action: 'user.change',
    async does() {
      const of = await person()
      const body = {
        identity: 'manager',
        department: 3,
        employment_status: 2,
        is_active: 0,
        advertisers: [me.advertiser],
      }
      const detail = {
        sessions_ended: 'closed',
        changes: {
          identity: { from: 'staff', to: 'manager' },
          department: { from: null, to: 3 },
          employment_status: { from: 1, to: 2 },
          is_active: { from: 1, to: 0 },
          advertisers: { from: [], to: [me.advertiser], kept: 0 },
        },
      }
      return { id: of, response: await boss.patch(`/api/user/${of}/`, body), detail }
    },
  },
  'POST /api/user/:id/password-link/': {
    action: 'user.password_link',
    async does() {
      const of = await person()
      return { id: of, response: await boss.post(`/api/user/${of}/password-link/`) }
    },
  },
  'POST /api/user/:id/transfer-reports/': {
    action: 'report.transfer',
    async does() {
      const { user, ...leaver } = await api.signedIn('staff')
      const { id: of } = await leaver.report()
      const response = await boss.post(`/api/user/${user.id}/transfer-reports/`, { to: me.user.id })
      return { id: of, response, detail: changed({ owner: { from: user.id, to: me.user.id } }) }
    },
  },
  'POST /api/gs-template-folder/': {
    action: 'folder.create',
    async does() {
      const response = await me.post('/api/gs-template-folder/', { name: 'Made' })
      return { id: id(response), response, detail: { name: 'Made' } }
    },
  },
  'PATCH /api/gs-template-folder/:id/': {
    action: 'folder.rename',
    async does() {
      const { id: of } = await me.folder({ name: 'Old name' })
      const response = await me.patch(`/api/gs-template-folder/${of}/`, { name: 'New name' })
      return { id: of, response, detail: changed({ name: { from: 'Old name', to: 'New name' } }) }
    },
  },
  'DELETE /api/gs-template-folder/:id/': {
    action: 'report.delete',
    async does() {
      const { id: folder } = await me.folder({ name: 'Full' })
      const { id: of } = await report({ folder })
      const response = await me.delete(`/api/gs-template-folder/${folder}/`, { mode: 'deleteitems' })
      return { id: of, response, detail: { folder, folder_name: 'Full' } }
    },
  },
  'POST /api/gs-template-folder/:id/restore/': {
    action: 'report.restore',
    async does() {
      const { id: folder } = await me.folder()
      const { id: of } = await report({ folder })
      await me.delete(`/api/gs-template-folder/${folder}/`, { mode: 'deleteitems' })
      return { id: of, response: await me.post(`/api/gs-template-folder/${folder}/restore/`) }
    },
  },
  [`POST ${REPORTS}`]: {
    action: 'report.create',
    async does() {
      const response = await me.post(REPORTS, me.body)
      return { id: id(response), response, detail: { name: 'Acme daily' } }
    },
  },
  [`PATCH ${REPORTS}:id/`]: {
    action: 'report.change',
    async does() {
      const { id: of, version } = await report()
      const [block] = me.body.channels
      const other = await api.account({ advertiser: me.advertiser })
      const channels = [{ ...block, accounts: [other], metrics: ['cost', 'cpm'], label: 'Meta' }]
      const response = await me.patch(`${REPORTS}${of}/`, { version, start_cell: 'D5', channels })
      const detail = changed({
        start_cell: { from: 'C4', to: 'D5' },
        'channels.0.accounts': { from: [me.account], to: [other], kept: 0 },
        'channels.0.metrics': { from: ['impressions', 'clicks', 'ctr'], to: ['cpm'], kept: 1 },
        'channels.0.label': { from: null, to: 'Meta' },
      })
      return { id: of, response, detail }
    },
  },
  [`DELETE ${REPORTS}:id/`]: {
    action: 'report.delete',
    async does() {
      const { id: of } = await report({ name: 'To go' })
      return { id: of, response: await me.delete(`${REPORTS}${of}/`), detail: { name: 'To go' } }
    },
  },
  [`POST ${REPORTS}:id/restore/`]: {
    action: 'report.restore',
    async does() {
      const { id: of } = await report()
      await me.delete(`${REPORTS}${of}/`)
      return { id: of, response: await me.post(`${REPORTS}${of}/restore/`) }
    },
  },
  [`POST ${REPORTS}:id/versions/:version/restore/`]: {
    action: 'report.restore_version',
    async does() {
      const { id: of, version } = await report()
      await me.patch(`${REPORTS}${of}/`, { version, start_cell: 'D5' })
      const response = await me.post(`${REPORTS}${of}/versions/1/restore/`, { version: version + 1 })
      return {
        id: of,
        response,
        detail: { version: 1, ...changed({ start_cell: { from: 'D5', to: 'C4' } }) },
      }
    },
  },
  [`POST ${REPORTS}:id/copy/`]: {
    action: 'report.copy',
    async does() {
      const { id: from } = await report()
      const response = await me.post(`${REPORTS}${from}/copy/`)
      return { id: id(response), response, detail: { from } }
    },
  },
  [`POST ${REPORTS}:id/share/`]: {
    action: 'report.share',
    async does() {
      const { id: of } = await report()
      const user = friend.user.id
      await me.post(`${REPORTS}${of}/share/`, { user, access: 'viewer' })
      const response = await me.post(`${REPORTS}${of}/share/`, { user, access: 'editor' })
      return { id: of, response, detail: { user, changes: { access: { from: 'viewer', to: 'editor' } } } }
    },
  },
  [`DELETE ${REPORTS}:id/share/:user_id/`]: {
    action: 'report.unshare',
    async does() {
      const { id: of } = await report()
      const user = friend.user.id
      await me.post(`${REPORTS}${of}/share/`, { user, access: 'viewer' })
      const response = await me.delete(`${REPORTS}${of}/share/${user}/`)
      return { id: of, response, detail: { user, changes: { access: { from: 'viewer', to: null } } } }
    },
  },
  [`POST ${REPORTS}bulk/`]: {
    action: 'report.move',
    async does() {
      const { id: folder } = await me.folder()
      const [one, two] = [await report(), await report()]
      const response = await me.post(`${REPORTS}bulk/`, { action: 'move', ids: [one.id, two.id], folder })
      return { id: one.id, response, detail: changed({ folder: { from: null, to: folder } }) }
    },
  },
  [`POST ${REPORTS}import/`]: {
    action: 'report.create',
    async does() {
      const { id: of } = await report()
      const { body } = await me.get(`${REPORTS}${of}/export/`)
      const options = { headers: { 'content-type': 'application/yaml' } }
      const response = await me.post(`${REPORTS}import/`, body, options)
      return { id: Object(response.body).results[0].report.id, response, detail: { by_file: true } }
    },
  },
  [`POST ${REPORTS}import/check/`]: { because: 'makes nothing' },
  'POST /api/insight-setting/metrics/try/': {
    because: 'shows numbers of an account that the person may use; keeps nothing',
  },
  [`POST ${REPORTS}preview/`]: {
    because: 'shows numbers of accounts that the person may use; keeps nothing',
  },
  [`POST ${REPORTS}care/replace-account/`]: {
    action: 'report.replace_account',
    async does() {
      const { id: of } = await report()
      const to = await api.account({ advertiser: me.advertiser })
      const body = { from: me.account, to, reports: [{ id: of }] }
      const response = await me.post(`${REPORTS}care/replace-account/`, body)
      return {
        id: of,
        response,
        detail: changed({ 'channels.0.accounts': { from: [me.account], to: [to], kept: 0 } }),
      }
    },
  },
  [`POST ${REPORTS}care/clone/`]: {
    action: 'report.clone',
    async does() {
      const { id: from } = await report()
      const body = { source: { reports: [from] }, advertiser: me.advertiser, accounts: [] }
      const response = await me.post(`${REPORTS}care/clone/`, body)
      return { id: Object(response.body).results[0].made, response, detail: { from } }
    },
  },
  [`POST ${REPORTS}care/extend/`]: {
    action: 'report.extend',
    async does() {
      const date_range = { start: '2026-11-01', end: '2026-11-30', dynamic_range: 0 }
      const { id: of } = await report({ date_range })
      const body = { reports: [{ id: of }], by: { dynamic_range: 1 } }
      const response = await me.post(`${REPORTS}care/extend/`, body)
      return { id: of, response, detail: changed({ 'date_range.end': { from: '2026-11-30', to: null } }) }
    },
  },
  [`POST ${REPORTS}care/:deed/undo/`]: {
    action: 'report.undo',
    async does() {
      const date_range = { start: '2026-11-01', end: '2026-11-30', dynamic_range: 0 }
      const { id: of } = await report({ date_range })
      const body = { reports: [{ id: of }], by: { dynamic_range: 1 } }
      const { deed } = Object((await me.post(`${REPORTS}care/extend/`, body)).body)
      const response = await me.post(`${REPORTS}care/${deed}/undo/`)
      return { id: of, response, detail: changed({ 'date_range.end': { from: null, to: '2026-11-30' } }) }
    },
  },
  [`POST ${REPORTS}:id/runs/:run_id/retry/`]: {
    action: 'report.run',
    async does() {
      const { of, run } = await execute()
      await db
        .updateTable('run')
        .set({ status: 'error', finished_at: new Date() })
        .where('id', '=', run)
        .execute()
      const response = await me.post(`${REPORTS}${of}/runs/${run}/retry/`)
      return { id: of, response, detail: { retry_of: run } }
    },
  },
  [`POST ${REPORTS}:id/runs/:run_id/write-back/`]: {
    tested_in: '../executions/restore-routes.test.ts',
    action: 'report.write_back',
  },
  'POST /api/gs-template-execution/': {
    action: 'report.run',
    async does() {
      const { of, response, execution } = await execute()
      return { id: of, response, detail: { name: 'Acme daily', execution } }
    },
  },
  'DELETE /api/gs-template-execution/:id/': {
    action: 'report.cancel',
    async does() {
      const { of, execution, run } = await execute()
      const response = await me.delete(`/api/gs-template-execution/${execution}/`)
      return { id: of, response, detail: { execution, run } }
    },
  },
  [`POST ${REPORTS}:id/favourite/`]: { because: 'one’s own mark, which nobody else sees' },
  [`DELETE ${REPORTS}:id/favourite/`]: { because: 'one’s own mark, which nobody else sees' },
  'POST /api/gs-template-view/': { because: 'one’s own filters, which nobody else sees' },
  'PATCH /api/gs-template-view/:id/': { because: 'one’s own filters, which nobody else sees' },
  'DELETE /api/gs-template-view/:id/': { because: 'one’s own filters, which nobody else sees' },
  'POST /api/notifications/read/': { because: 'one’s own read marks' },
  'POST /api/ad/gs_sheet/': {
    action: 'spreadsheet.add_tab',
    async does() {
      const response = await me.post('/api/ad/gs_sheet/', {
        spreadsheet_url: me.body.spreadsheet_url,
        title: 'New',
      })
      return { response, detail: { title: 'New' } }
    },
  },
  'POST /api/ad/gs_spreadsheet/': {
    action: 'spreadsheet.create',
    async does() {
      const owner = await api.signedIn('staff', { email: 'owner@people.demo', email_confirmed: true })
      const response = await owner.post('/api/ad/gs_spreadsheet/', { report_name: 'New numbers' })
      return { response, detail: { title: 'New numbers' } }
    },
  },
  'DELETE /api/ad/gs_binding/': {
    action: 'spreadsheet.release',
    async does() {
      const other = await ready(api)
      const url = encodeURIComponent(other.body.spreadsheet_url)
      return { response: await boss.delete(`/api/ad/gs_binding/?spreadsheet_url=${url}`) }
    },
  },
  'POST /api/ad_insertion/quotation/': {
    action: 'quotation.create',
    async does() {
      const response = await draft()
      return { id: id(response), response, detail: { title: 'Spring', total: 105_000_000 } }
    },
  },
  'PATCH /api/ad_insertion/quotation/:id/': {
    action: 'quotation.change',
    async does() {
      const of = id(await draft())
      const response = await me.patch(`${QUOTATIONS}${of}/`, { version: 1, title: 'Summer' })
      return { id: of, response, detail: changed({ title: { from: 'Spring', to: 'Summer' } }) }
    },
  },
  'DELETE /api/ad_insertion/quotation/:id/': {
    action: 'quotation.delete',
    async does() {
      const of = id(await draft())
      return { id: of, response: await boss.delete(`${QUOTATIONS}${of}/`, { version: 1 }) }
    },
  },
  'POST /api/ad_insertion/quotation/:id/send/': {
    action: 'quotation.send',
    async does() {
      const of = id(await draft())
      const response = await act(me, of, 'send')
      return { id: of, response, detail: { number: Object(response.body).number } }
    },
  },
  'POST /api/ad_insertion/quotation/:id/accept/': {
    action: 'quotation.accept',
    async does() {
      const of = await sentDraft()
      const acceptance = { accepted_on: '2026-11-01', accepted_by: 'Ms Chen' }
      return { id: of, response: await act(me, of, 'accept', acceptance), detail: acceptance }
    },
  },
  'POST /api/ad_insertion/quotation/:id/reject/': {
    action: 'quotation.reject',
    async does() {
      const of = await sentDraft()
      const reason = { reason: 'No budget' }
      return { id: of, response: await act(me, of, 'reject', reason), detail: reason }
    },
  },
  'POST /api/ad_insertion/quotation/:id/cancel/': {
    action: 'quotation.cancel',
    async does() {
      const of = await sentDraft()
      const reason = { reason: 'Written twice' }
      return { id: of, response: await act(me, of, 'cancel', reason), detail: { ...reason, from: 'sent' } }
    },
  },
  'POST /api/ad_insertion/quotation/:id/revise/': {
    action: 'quotation.revise',
    async does() {
      const of = await sentDraft()
      const response = await act(me, of, 'revise')
      return { id: id(response), response, detail: { revises: of, revision: 2 } }
    },
  },
  'POST /api/ad_insertion/quotation/:id/copy/': {
    action: 'quotation.copy',
    async does() {
      const of = id(await draft())
      const response = await act(me, of, 'copy')
      return { id: id(response), response, detail: { source: of } }
    },
  },
  'POST /api/ad_insertion/quotation/:id/spent/': {
    action: 'quotation.change',
    async does() {
      const made = await draft()
      const [line] = Object(made.body).lines
      const body = { lines: [{ line: line.id, typed_spent: 5_000_000 }] }
      const detail = changed({ [`typed_spent.${line.id}`]: { from: null, to: 5_000_000 } })
      return { id: id(made), response: await act(me, id(made), 'spent', body), detail }
    },
  },
  'POST /api/ad_insertion/payment/': {
    action: 'payment.create',
    async does() {
      const { quotation, payment } = await dueFor()
      await boss.post(`${PAYMENTS}${payment}/void/`, { version: 1, reason: 'Wrong' })
      const response = await boss.post(PAYMENTS, { quotation, due_on: '2027-01-31' })
      return { id: id(response), response, detail: { quotation, due_on: '2027-01-31' } }
    },
  },
  'PATCH /api/ad_insertion/payment/:id/': {
    action: 'payment.change',
    async does() {
      const { payment } = await dueFor()
      const response = await boss.patch(`${PAYMENTS}${payment}/`, { version: 1, note: 'Call first' })
      return { id: payment, response, detail: changed({ note: { from: '', to: 'Call first' } }) }
    },
  },
  'POST /api/ad_insertion/payment/:id/void/': {
    action: 'payment.void',
    async does() {
      const { payment } = await dueFor()
      const response = await boss.post(`${PAYMENTS}${payment}/void/`, { version: 1, reason: 'Wrong' })
      return { id: payment, response, detail: { reason: 'Wrong' } }
    },
  },
  'POST /api/ad_insertion/payment/:id/receipt/': {
    action: 'receipt.create',
    async does() {
      const { payment } = await dueFor()
      return { id: payment, response: await receiptFor(payment), detail: { amount: 1_000_000 } }
    },
  },
  'POST /api/ad_insertion/payment/:id/receipt/:rid/reverse/': {
    action: 'receipt.reverse',
    async does() {
      const { payment } = await dueFor()
      const [receipt] = Object((await receiptFor(payment)).body).receipts
      const path = `${PAYMENTS}${payment}/receipt/${receipt.id}/reverse/`
      const response = await boss.post(path, { version: 2, reason: 'Bounced' })
      return { id: payment, response, detail: { receipt: receipt.id, reason: 'Bounced' } }
    },
  },
  'POST /api/support/': {
    action: 'issue.create',
    async does() {
      const response = await issue()
      return { id: id(response), response }
    },
  },
  'PATCH /api/support/:id/': {
    action: 'issue.change',
    async does() {
      const of = id(await issue())
      const response = await boss.patch(`/api/support/${of}/`, { answer: 'Mended.' })
      const detail = { has_new_answer: true, changes: { status: { from: 'open', to: 'answered' } } }
      return { id: of, response, detail }
    },
  },
  'POST /api/support/:id/additions/': {
    action: 'issue.add',
    async does() {
      const of = id(await issue())
      await boss.patch(`/api/support/${of}/`, { status: 'closed' })
      const response = await me.post(`/api/support/${of}/additions/`, { text: 'Still nothing.' })
      return { id: of, response, detail: { changes: { status: { from: 'closed', to: 'open' } } } }
    },
  },
  'POST /api/public-account/': {
    action: 'public_account.create',
    async does() {
      const response = await boss.post('/api/public-account/', login)
      return { id: id(response), response, detail: { platform: 'meta' } }
    },
  },
  'PATCH /api/public-account/:id/': {
    action: 'public_account.change',
    async does() {
      const of = await publicAccount()
      const response = await boss.patch(`/api/public-account/${of}/`, { login: login.login })
      return { id: of, response, detail: { fields: ['login'] } }
    },
  },
  'DELETE /api/public-account/:id/': {
    action: 'public_account.delete',
    async does() {
      const of = await publicAccount()
      return { id: of, response: await boss.delete(`/api/public-account/${of}/`) }
    },
  },
  'PATCH /api/public-account-platform/:platform/': {
    action: 'connection.change',
    async does() {
      const response = await setUpApp('meta')
      return { id: 'meta', response, detail: { fields: ['client_id', 'client_secret'] } }
    },
  },
  'POST /api/public-account/connect/': { because: 'stores nothing but that somebody is at the platform' },
  'POST /api/public-account/connect/finish/': {
    action: 'connection.connect',
    async does() {
      const response = await connected()
      const detail = { platform: 'google', services: ['spreadsheets'], again: false }
      return { id: Object(response.body).login.id, response, detail }
    },
  },
  'POST /api/public-account/:id/disconnect/': {
    action: 'connection.disconnect',
    async does() {
      const { id: of } = Object((await connected()).body).login
      return { id: of, response: await boss.post(`/api/public-account/${of}/disconnect/`) }
    },
  },
  'PATCH /api/public-account-service/:id/': {
    action: 'connection.change',
    async does() {
      const { login: of, services } = Object((await connected()).body)
      const path = `/api/public-account-service/${services[0].id}/`
      const detail = { service: 'spreadsheets', enabled: false }
      return { id: of.id, response: await boss.patch(path, { enabled: false }), detail }
    },
  },
  'POST /api/public-account-permission/check/': {
    action: 'connection.change',
    async does() {
      const { id: of } = Object((await connected()).body).login
      const response = await boss.post('/api/public-account-permission/check/', { public_account: of })
      return { id: of, response, detail: { checked: true } }
    },
  },
  'POST /api/public-account-user/': {
    action: 'connection.change',
    async does() {
      const of = await publicAccount()
      return { id: of, response: await withKeeper(of), detail: { added_keeper: friend.user.id } }
    },
  },
  'DELETE /api/public-account-user/:id/': {
    action: 'connection.change',
    async does() {
      const of = await publicAccount()
      const response = await boss.delete(`/api/public-account-user/${id(await withKeeper(of))}/`)
      return { id: of, response, detail: { removed_keeper: friend.user.id } }
    },
  },
  'POST /api/public-account/:id/test/': {
    action: 'public_account.test',
    async does() {
      const of = await publicAccount()
      return { id: of, response: await boss.post(`/api/public-account/${of}/test/`) }
    },
  },
  'POST /api/public-account/:id/import-accounts/': {
    action: 'public_account.import',
    async does() {
      const of = await publicAccount()
      return { id: of, response: await boss.post(`/api/public-account/${of}/import-accounts/`) }
    },
  },
  'PATCH /api/fb-business/adaccount/:id/': {
    action: 'business.change',
    async does() {
      const { business, account } = await businessOf()
      const response = await boss.patch(`${BUSINESSES}adaccount/${account}/`, { advertiser: me.advertiser })
      return {
        id: business,
        response,
        detail: { name: 'One', ...changed({ advertiser: { from: null, to: me.advertiser } }) },
      }
    },
  },
  'POST /api/fb-business/:id/refresh/': {
    action: 'business.refresh',
    async does() {
      const { business } = await businessOf()
      return { id: business, response: await boss.post(`${BUSINESSES}${business}/refresh/`) }
    },
  },
  'POST /api/fb-business/:id/members/': {
    action: 'business_member.create',
    async does() {
      const [{ business }, user] = [await businessOf(), await person()]
      const response = await boss.post(`${BUSINESSES}${business}/members/`, { user })
      return { id: business, response, detail: { person: user } }
    },
  },
  'DELETE /api/fb-business/:id/members/:user_id/': {
    action: 'business_member.delete',
    async does() {
      const [{ business }, user] = [await businessOf(), await person()]
      await boss.post(`${BUSINESSES}${business}/members/`, { user })
      const response = await boss.delete(`${BUSINESSES}${business}/members/${user}/`)
      return { id: business, response, detail: { person: user } }
    },
  },
  'POST /api/advertiser/': {
    action: 'advertiser.create',
    async does() {
      const name = `Client ${randomUUID()}`
      const response = await boss.post('/api/advertiser/', { name, members: [friend.user.id] })
      const detail = { name, changes: { members: { from: [], to: [friend.user.id], kept: 0 } } }
      return { id: id(response), response, detail }
    },
  },
  'PATCH /api/advertiser/:id/': {
    action: 'advertiser.change',
    async does() {
      const [stays, goes, comes] = [await person(), await person(), await person()]
      const of = await api.advertiser(`Client ${randomUUID()}`, [stays, goes])
      const response = await boss.patch(`/api/advertiser/${of}/`, {
        version: 1,
        members: [stays, comes],
        is_active: false,
      })
      const detail = changed({
        members: { from: [goes], to: [comes], kept: 1 },
        is_active: { from: true, to: false },
      })
      return { id: of, response, detail }
    },
  },
  'DELETE /api/advertiser/:id/': {
    action: 'advertiser.delete',
    async does() {
      const of = await api.advertiser(`Client ${randomUUID()}`, [await person()])
      const response = await boss.delete(`/api/advertiser/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ tax_country: { from: 'TW', to: null } }) }
    },
  },
  'POST /api/advertiser/import/': importing('advertiser', 'name'),
  'POST /api/industry/import/': importing('industry', 'name,name_zh'),
  'POST /api/agent/import/': importing('agent', 'name'),
  'POST /api/publisher/import/': importing('publisher', 'name'),
  'POST /api/site/import/': {
    action: 'site.import',
    async does() {
      const name = `Client ${randomUUID()}`
      await api.advertiser(name)
      const form = new FormData()
      const file = `advertiser,url,name\n${name},https://${randomUUID()}.demo,Shop`
      form.set('file', new File([file], 'sites.csv'))
      const response = await boss.post('/api/site/import/', form)
      return { response, detail: { create: 1, change: 0, same: 0 } }
    },
  },
  'POST /api/targetaudience/': {
    action: 'target_audience.create',
    async does() {
      const response = await targetAudience()
      return { id: id(response), response, detail: changed({ age_min: { from: null, to: 20 } }) }
    },
  },
  'PATCH /api/targetaudience/:id/': {
    action: 'target_audience.change',
    async does() {
      const [of, list] = [id(await targetAudience()), await customerFile(me, { advertiser: me.advertiser })]
      const body = {
        version: 1,
        age_max: 50,
        note: 'Not in the trail',
        audience_lists: { include: [list.id] },
      }
      const response = await me.patch(`/api/targetaudience/${of}/`, body)
      const include = { from: [], to: [list.id], kept: 0 }
      const note = { from: '', to: '…' }
      return { id: of, response, detail: changed({ age_max: { from: 39, to: 50 }, include, note }) }
    },
  },
  'DELETE /api/targetaudience/:id/': {
    action: 'target_audience.delete',
    async does() {
      const of = id(await targetAudience())
      const response = await me.delete(`/api/targetaudience/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ age_min: { from: 20, to: null } }) }
    },
  },
  'POST /api/site/': {
    action: 'site.create',
    async does() {
      const response = await site()
      return { id: id(response), response, detail: changed({ platform: { from: null, to: 'shopline' } }) }
    },
  },
  'PATCH /api/site/:id/': {
    action: 'site.change',
    async does() {
      const of = id(await site())
      const response = await me.patch(`/api/site/${of}/`, { version: 1, is_active: false })
      return { id: of, response, detail: changed({ is_active: { from: true, to: false } }) }
    },
  },
  'DELETE /api/site/:id/': {
    action: 'site.delete',
    async does() {
      const of = id(await site())
      const response = await me.delete(`/api/site/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ platform: { from: 'shopline', to: null } }) }
    },
  },
  'POST /api/publisher/': {
    action: 'publisher.create',
    async does() {
      const response = await publisher()
      return { id: id(response), response, detail: changed({ type: { from: null, to: 'news' } }) }
    },
  },
  'PATCH /api/publisher/:id/': {
    action: 'publisher.change',
    async does() {
      const of = id(await publisher())
      const response = await me.patch(`/api/publisher/${of}/`, { version: 1, type: 'video' })
      return { id: of, response, detail: changed({ type: { from: 'news', to: 'video' } }) }
    },
  },
  'DELETE /api/publisher/:id/': {
    action: 'publisher.delete',
    async does() {
      const of = id(await publisher())
      const response = await me.delete(`/api/publisher/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ type: { from: 'news', to: null } }) }
    },
  },
  'POST /api/industry/': {
    action: 'industry.create',
    async does() {
      const name = `Industry ${randomUUID()}`
      const response = await boss.post('/api/industry/', { name, name_zh: `產業 ${randomUUID()}` })
      return { id: id(response), response, detail: changed({ name: { from: null, to: name } }) }
    },
  },
  'PATCH /api/industry/:id/': {
    action: 'industry.change',
    async does() {
      const [of, name] = [await industry(), `Industry ${randomUUID()}`]
      const response = await boss.patch(`/api/industry/${of.id}/`, { version: 1, name })
      return { id: of.id, response, detail: changed({ name: { from: of.name, to: name } }) }
    },
  },
  'DELETE /api/industry/:id/': {
    action: 'industry.delete',
    async does() {
      const of = await industry()
      const response = await boss.delete(`/api/industry/${of.id}/`, { version: 1 })
      return { id: of.id, response, detail: changed({ name: { from: of.name, to: null } }) }
    },
  },
  'POST /api/industry/:id/merge/': {
    action: 'industry.merge',
    async does() {
      const [of, into] = [await industry(), await industry()]
      const response = await boss.post(`/api/industry/${of.id}/merge/`, { version: 1, into: into.id })
      return { id: of.id, response, detail: changed({ into: { from: null, to: into.name } }) }
    },
  },
  'POST /api/agent/': {
    action: 'agent.create',
    async does() {
      const response = await boss.post('/api/agent/', {
        name: `Agent ${randomUUID()}`,
        commission_rate: 1000,
      })
      return { id: id(response), response, detail: changed({ commission_rate: { from: null, to: 1000 } }) }
    },
  },
  'PATCH /api/agent/:id/': {
    action: 'agent.change',
    async does() {
      const of = await agent()
      const response = await boss.patch(`/api/agent/${of}/`, { version: 1, is_active: false })
      return { id: of, response, detail: changed({ is_active: { from: true, to: false } }) }
    },
  },
  'DELETE /api/agent/:id/': {
    action: 'agent.delete',
    async does() {
      const of = await agent()
      const response = await boss.delete(`/api/agent/${of}/`, { version: 1 })
      return { id: of, response, detail: changed({ tax_country: { from: 'TW', to: null } }) }
    },
  },
  'POST /api/advertiser/:id/fee-agreement/': {
    action: 'fee_agreement.create',
    async does() {
      const response = await agreement()
      return { id: id(response), response, detail: changed({ minimum: { from: null, to: 1_000_000 } }) }
    },
  },
  'PATCH /api/advertiser/:id/fee-agreement/:aid/': {
    action: 'fee_agreement.change',
    async does() {
      const of = id(await agreement())
      const response = await boss.patch(`/api/advertiser/${me.advertiser}/fee-agreement/${of}/`, {
        version: 1,
        minimum: 0,
      })
      return { id: of, response, detail: changed({ minimum: { from: 1_000_000, to: 0 } }) }
    },
  },
  'DELETE /api/advertiser/:id/fee-agreement/:aid/': {
    action: 'fee_agreement.delete',
    async does() {
      const of = id(await agreement())
      const path = `/api/advertiser/${me.advertiser}/fee-agreement/${of}/`
      const response = await boss.delete(path, { version: 1 })
      return { id: of, response, detail: changed({ minimum: { from: 1_000_000, to: null } }) }
    },
  },
  'PATCH /api/ad_insertion/issuer/': {
    action: 'issuer.change',
    async does() {
      const { version, address } = Object((await boss.get('/api/ad_insertion/issuer/')).body)
      const to = `${randomUUID()} Road`
      const response = await boss.patch('/api/ad_insertion/issuer/', { version, address: to })
      return { id: 1, response, detail: changed({ address: { from: address, to } }) }
    },
  },
  'POST /api/advertiser/relate/ad-account/': relating('ad-account', 'ad_accounts', 'fb', 'POST'),
  'DELETE /api/advertiser/relate/ad-account/': relating('ad-account', 'ad_accounts', 'fb', 'DELETE'),
  'POST /api/advertiser/relate/ga-view/': relating('ga-view', 'ga_views', 'ga4', 'POST'),
  'DELETE /api/advertiser/relate/ga-view/': relating('ga-view', 'ga_views', 'ga4', 'DELETE'),
  'POST /api/sheets/': {
    action: 'spreadsheet.create',
    async does() {
      const made = await bookOf(artist)
      return { ...made, detail: { title: 'Book' } }
    },
  },
  'POST /api/sheets/:id/share/': {
    action: 'spreadsheet.share',
    async does() {
      const { id: of } = await bookOf(artist)
      const body = { email: 'client-b@borealis.demo', role: 'reader' }
      return { id: of, response: await artist.post(`/api/sheets/${of}/share/`, body), detail: body }
    },
  },
  'DELETE /api/sheets/:id/share/:permission/': {
    action: 'spreadsheet.unshare',
    async does() {
      const { id: of } = await bookOf(artist)
      await artist.post(`/api/sheets/${of}/share/`, { email: 'client-b@borealis.demo', role: 'reader' })
      const { permissions } = Object((await artist.get(`/api/sheets/${of}/`)).body)
      const permission = permissions.find(({ email }: { email: string }) => email.startsWith('client-b')).id
      const response = await artist.delete(`/api/sheets/${of}/share/${permission}/`)
      return { id: of, response, detail: { permission } }
    },
  },
  'POST /api/sheets/:id/named-ranges/': {
    action: 'spreadsheet.name_range',
    async does() {
      const { id: of } = await bookOf(artist)
      const body = { name: 'Spend', gid: 0, rect: [0, 0, 2, 2], is_protected: true }
      const response = await artist.post(`/api/sheets/${of}/named-ranges/`, body)
      return { id: of, response, detail: { name: 'Spend', is_protected: true } }
    },
  },
  'DELETE /api/sheets/:id/named-ranges/:range/': {
    action: 'spreadsheet.delete_named_range',
    async does() {
      const { id: of } = await bookOf(artist)
      await artist.post(`/api/sheets/${of}/named-ranges/`, { name: 'Spend', gid: 0, rect: [0, 0, 2, 2] })
      const { named_ranges } = Object((await artist.get(`/api/sheets/${of}/`)).body)
      const response = await artist.delete(`/api/sheets/${of}/named-ranges/${named_ranges[0].id}/`)
      return { id: of, response, detail: { name: 'Spend' } }
    },
  },

  // Exports of a list, a report or a file.
  [`GET ${REPORTS}:id/export/`]: {
    action: 'report.export',
    async does() {
      const { id: of } = await report()
      return { id: of, response: await me.get(`${REPORTS}${of}/export/`), detail: { format: 'yaml' } }
    },
  },
  [`GET ${REPORTS}export/`]: {
    action: 'report.export',
    async does() {
      const [one, two] = [await report(), await report()]
      return { id: two.id, response: await me.get(`${REPORTS}export/?ids=${one.id},${two.id}`) }
    },
  },
  'GET /api/sheets/:id/export/': {
    action: 'spreadsheet.export',
    async does() {
      const { id: of } = await bookOf(artist)
      return { id: of, response: await artist.get(`/api/sheets/${of}/export/?format=xlsx`) }
    },
  },
}

async function issue() {
  return await me.post('/api/support/', {
    report_type: 'others',
    occurred_at: new Date(api.clock.now.getTime() - 1000).toISOString(),
    description: 'Nothing moves.',
  })
}

function importing(noun: 'advertiser' | 'industry' | 'agent' | 'publisher', header: string): Does {
  return {
    action: `${noun}.import`,
    async does() {
      const form = new FormData()
      const cells = header.split(',').map(() => randomUUID())
      form.set('file', new File([`${header}\n${cells.join(',')}`], 'customers.csv'))
      const response = await boss.post(`/api/${noun}/import/`, form)
      return { response, detail: { create: 1, change: 0, same: 0 } }
    },
  }
}

const BUSINESSES = '/api/fb-business/'
/** A business with an account that nobody has made yet. */
async function businessOf() {
  const { id: business } = await db
    .insertInto('business')
    .values({ external_id: randomUUID(), name: 'A business', login: await publicAccount() })
    .returning('id')
    .executeTakeFirstOrThrow()
  const facts = { name: 'One', account: randomUUID(), relation: 'client', currency: 'TWD' } as const
  const { id: account } = await db
    .insertInto('business_ad_account')
    .values({ ...facts, business, status: 1, timezone: 'Asia/Taipei', listed_at: api.clock.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { business, account }
}

let agreedMonth = 0
async function agreement() {
  const month = `20${10 + (agreedMonth += 1)}-01`
  return await boss.post(`/api/advertiser/${me.advertiser}/fee-agreement/`, {
    currency: 'TWD',
    from_month: month,
    to_month: month,
    minimum: 1_000_000,
    tiers: [{ up_to: null, rate: 1500 }],
  })
}

async function industry() {
  const name = `Industry ${randomUUID()}`
  const values = { name, name_zh: `產業 ${randomUUID()}` }
  return await db.insertInto('industry').values(values).returning(['id', 'name']).executeTakeFirstOrThrow()
}

async function agent() {
  const values = { name: `Agent ${randomUUID()}` }
  return (await db.insertInto('agent').values(values).returning('id').executeTakeFirstOrThrow()).id
}

function relating(path: string, field: string, channel: 'fb' | 'ga4', method: 'POST' | 'DELETE'): Does {
  return {
    action: 'account.relate',
    async does() {
      const advertiser = await api.advertiser(`Client ${randomUUID()}`)
      const of = await api.account({ advertiser: method === 'POST' ? me.advertiser : advertiser })
      await db.updateTable('ad_account').set({ channel }).where('id', '=', of).execute()
      const body = { advertiser, [field]: [of] }
      const response = await boss.call(method, `/api/advertiser/relate/${path}/`, body)
      const [from, to] = method === 'POST' ? [me.advertiser, advertiser] : [advertiser, null]
      return { id: of, response, detail: changed({ advertiser: { from, to } }) }
    },
  }
}

const named = routes.map(route => ({ ...route, name: `${route.method} ${route.path}` }))
const listsAsCsv = named.filter(
  ({ method, path, facts }) =>
    method === 'GET' &&
    !path.endsWith('/export/') &&
    facts.query &&
    'format' in Object((facts.query as { shape?: object }).shape),
)

describe('the trail has a line for', () => {
  it('every route that changes or exports something, or a reason why not', () => {
    const needed = named.filter(({ method, path }) => method !== 'GET' || path.endsWith('/export/'))
    expect(Object.keys(entries).toSorted()).toEqual(needed.map(({ name }) => name).toSorted())
    const watched_elsewhere = Object.values(entries).flatMap(entry => ('tested_in' in entry ? [entry] : []))
    for (const { tested_in, action } of watched_elsewhere)
      expect(readFileSync(new URL(tested_in, import.meta.url), 'utf8')).toContain(action)
  })

  const done = Object.entries(entries).flatMap(([name, entry]) =>
    'does' in entry ? [{ name, ...entry }] : [],
  )
  it.each(done)('$name', async ({ action, does }) => {
    const since = await lastLine()
    const { response, id: of, detail = {} } = await does()
    expect(response.status, JSON.stringify(response.body)).toBeLessThan(300)
    const found = await linesSince(since)
    const object_id = of === undefined ? undefined : String(of)
    const line = found.find(
      each =>
        each.action === action &&
        (object_id === undefined || each.object_id === object_id) &&
        says(each.detail, detail),
    )
    expect(line, JSON.stringify(found)).toMatchObject({ actor: expect.any(Number) })
  })

  it('nothing that the interface cannot translate', async () => {
    const unknown = (await linesSince(0)).filter(({ action }) => !isAuditAction(action))
    expect(unknown).toEqual([])
  })

  it('counts and ids of campaigns, and never what is written in them', async () => {
    const objects = ['target_audience', 'link', 'preset', 'site', 'publisher', 'image', 'file']
    const lines = (await linesSince(0)).filter(({ object }) => objects.includes(object ?? ''))
    expect(new Set(lines.map(({ object }) => object)).size).toBe(objects.length)
    expect(JSON.stringify(lines)).not.toMatch(/https?:|Not in the trail|utm_source":{"[^}]*(line|facebook)/)
    const fields = lines.flatMap(({ detail }) => Object.keys(Object(Object(detail).changes)))
    expect(fields.filter(field => !isAuditField(field))).toEqual([])
  })

  it('never a secret', async () => {
    const lines = JSON.stringify(await linesSince(0))
    expect(lines).toContain('public_account.change')
    expect(lines).toContain('user.set_password')
    for (const secret of [PASSWORD, login.login.access_token, ...handed_over, boss.token, me.token])
      expect(lines.includes(secret), secret).toBe(false)
  })

  it.each(listsAsCsv.map(({ name, path }) => ({ name, path })))('$name as CSV', async ({ path }) => {
    const { id: of } = await report({}, boss).catch(() => me.report())
    const since = await lastLine()
    // Months have no pages.
    const filters = path.includes('/ecspend/') ? { from: '2026-11', to: '2026-11' } : { limit: 7 }
    const query = new URLSearchParams(Object.entries(filters).map(([name, value]) => [name, String(value)]))
    const response = await boss.get(`${path.replace(':id', String(of))}?format=csv&${query}`)
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    const rows = String(response.body).trimEnd().split('\r\n').length - 1
    expect(await linesSince(since)).toContainEqual(
      expect.objectContaining({
        action: 'list.export',
        object: 'list',
        object_id: path,
        actor: boss.user.id,
        detail: { query: expect.objectContaining(filters), rows, is_whole: true },
      }),
    )
  })
})

/** Whether the detail contains all that it must, and of `changes` each that is named. */
const says = (found: object | null, { changes = {}, ...detail }: { changes?: object }) =>
  isWithin(found ?? {}, detail) && isWithin(Object((found as { changes?: object } | null)?.changes), changes)

const isWithin = (found: object, expected: object) =>
  Object.entries(expected).every(([key, value]) =>
    isDeepStrictEqual(new Map(Object.entries(found)).get(key), value),
  )

async function lastLine(): Promise<number> {
  const { last } = await db
    .selectFrom('audit')
    .select(eb => eb.fn.coalesce(eb.fn.max('id'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow()
  return Number(last)
}

const linesSince = (since: number) =>
  db
    .selectFrom('audit')
    .select(['actor', 'action', 'object', 'object_id', 'detail'])
    .where('id', '>', since)
    .execute()
