import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { batchOf, people, shareWith } from '#server/resources/audiences/testing/members.ts'
import { insertBlobs, insertFile, insertImage } from '#server/files/testing/materials.ts'
import { isAtLeast } from '#shared/access.ts'
import { insertNotices } from '#server/resources/notifications/queries.ts'
import { expectAlike, outcomeOf } from './testing/answers.ts'
import { testApi, type Client } from './testing/api.ts'
import { principals } from './testing/principals.ts'

/**
 * Things that belong to others, called by everybody in every relation to their parent: what
 * authorization.test.ts does for reports themselves.
 */
const api = await testApi({ effects: { followLink: async () => ({ outcome: 'ok', hops: [] }) } })

const { people: cast, client_a: clientA, client_b: clientB } = await principals(api)
type Name = keyof typeof cast
const isName = (name: string): name is Name => name in cast
const names = Object.keys(cast).filter(isName)
const { a1, a2, b, staff, manager } = cast

const REPORTS = '/api/gs-template-setting/'
const NOWHERE = 999_999_999

/** The relation of the caller to a report. */
const relations = ['own', 'viewer', 'editor', 'same client', 'just unshared', 'other client'] as const
type Relation = (typeof relations)[number]

async function reportOf(who: Name, relation: Relation): Promise<number> {
  if (relation === 'own') return (await cast[who].report()).id
  const colleague = who === 'a1' ? a2 : a1
  const { id } = await (relation === 'other client' ? (who === 'b' ? a1 : b) : colleague).report()
  if (relation === 'viewer' || relation === 'editor' || relation === 'just unshared') {
    const access = relation === 'viewer' ? 'viewer' : 'editor'
    const share = { report: id, user_id: cast[who].user.id, access, shared_by: null } as const
    await api.db.insertInto('report_share').values(share).execute()
  }
  if (relation === 'just unshared') await api.db.deleteFrom('report_share').where('report', '=', id).execute()
  return id
}

async function runOf(report: number): Promise<string> {
  const id = randomUUID()
  const { owner } = await api.db
    .selectFrom('report')
    .select('owner')
    .where('id', '=', report)
    .executeTakeFirstOrThrow()
  await api.db
    .insertInto('run')
    .values({ id, report, owner, trigger: 'click', status: 'error', code: 'platform_error' })
    .execute()
  return id
}

const isVisible = (who: Name, relation: Relation) =>
  who === 'superuser' || ['own', 'viewer', 'editor'].includes(relation)

describe.each([
  { call: 'GET :run/', viewer: 'done' },
  { call: 'GET :run/changes/', viewer: 'done' },
  { call: 'GET :run/table/', viewer: 'done' },
  { call: 'POST :run/retry/', viewer: 'done' },
  { call: 'POST :run/write-back/', viewer: 'forbidden' },
])('$call of a run', ({ call, viewer }) => {
  const [method = '', ending = ''] = call.split(' ')
  const send = (who: Name, report: number, run: string) =>
    cast[who].call(method, `${REPORTS}${report}/runs/${ending.replace(':run', run)}`)

  it.each(names)('by %s follows its report', async who => {
    const missing = await send(who, NOWHERE, randomUUID())
    expect(outcomeOf(missing)).toBe('missing')
    const foreignRun = await runOf(await reportOf(who, 'other client'))
    for (const relation of relations) {
      const report = await reportOf(who, relation)
      const response = await send(who, report, await runOf(report))
      const visible = relation === 'viewer' && who !== 'superuser' ? viewer : 'done'
      expect([relation, outcomeOf(response)]).toEqual([
        relation,
        isVisible(who, relation) ? visible : 'missing',
      ])
      if (!isVisible(who, relation)) expectAlike(response, missing)
      // The id of a visible report reaches no run of another one.
      if (relation === 'own')
        expectAlike(await send(who, report, foreignRun), await send(who, report, randomUUID()))
    }
  })
})

describe.each([
  { call: 'GET versions/1/', may: ['viewer', 'editor'] },
  { call: 'POST versions/1/restore/', may: ['editor'] },
])('$call', ({ call, may }) => {
  const [method = '', ending = ''] = call.split(' ')
  const send = (who: Name, report: number) =>
    cast[who].call(method, `${REPORTS}${report}/${ending}`, method === 'POST' ? { version: 1 } : undefined)

  it.each(names)('by %s follows its report', async who => {
    const missing = await send(who, NOWHERE)
    expect(outcomeOf(missing)).toBe('missing')
    for (const relation of relations) {
      const response = await send(who, await reportOf(who, relation))
      const allowed = who === 'superuser' || relation === 'own' || may.includes(relation)
      const expected = !isVisible(who, relation) ? 'missing' : allowed ? 'done' : 'forbidden'
      expect([relation, outcomeOf(response)]).toEqual([relation, expected])
      if (expected === 'missing') expectAlike(response, missing)
    }
  })
})

describe('ending a sharing', () => {
  it.each(names)('by %s: one’s own, or any of a report that one may share', async who => {
    const other = who === 'staff' ? manager : staff
    const send = (report: number, user: number) => cast[who].delete(`${REPORTS}${report}/share/${user}/`)
    const missing = await send(NOWHERE, other.user.id)
    for (const relation of relations) {
      const report = await reportOf(who, relation)
      const share = { report, user_id: other.user.id, access: 'viewer', shared_by: null } as const
      await api.db.insertInto('report_share').values(share).execute()
      const response = await send(report, other.user.id)
      const may = relation === 'own' || who === 'superuser'
      const expected = may ? 'done' : isVisible(who, relation) ? 'forbidden' : 'missing'
      expect([relation, outcomeOf(response)]).toEqual([relation, expected])
      if (expected === 'missing') expectAlike(response, missing)
      const own = await send(report, cast[who].user.id)
      const hasOwn = relation === 'viewer' || relation === 'editor'
      expect([relation, outcomeOf(own)]).toEqual([relation, hasOwn ? 'done' : 'missing'])
      // Neither response says whether the sharing existed.
      if (!isVisible(who, relation)) expectAlike(own, missing)
      expect(outcomeOf(await send(report, NOWHERE))).toBe(
        may ? 'missing' : hasOwn || !isVisible(who, relation) ? 'missing' : 'forbidden',
      )
    }
  })
})

describe('an issue', () => {
  const issueOf = async ({ user }: Client) => {
    const { id } = await api.db
      .insertInto('support_issue')
      .values({
        reporter: user.id,
        report_type: 'others',
        occurred_at: api.clock.now,
        description: 'Something is wrong.',
        created_at: api.clock.now,
        last_modified_at: api.clock.now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const picture = { type: 'image/png', width: 1, height: 1, bytes: Buffer.from('picture') } as const
    await api.db
      .insertInto('support_image')
      .values({ issue: id, ...picture })
      .execute()
    return id
  }

  it.each(names)('by %s is for its reporter and for support editors', async who => {
    const isEditor = who === 'superuser'
    const calls = [
      (id: number) => cast[who].get(`/api/support/${id}/`),
      (id: number) => cast[who].get(`/api/support/${id}/image/`),
      (id: number) => cast[who].patch(`/api/support/${id}/`, { status: 'in_progress' }),
      (id: number) => cast[who].post(`/api/support/${id}/additions/`, { text: 'More of it.' }),
    ]
    for (const [at, send] of calls.entries()) {
      const missing = await send(NOWHERE)
      expect(outcomeOf(missing)).toBe('missing')
      const own = outcomeOf(await send(await issueOf(cast[who])))
      expect([at, own]).toEqual([at, at === 2 && !isEditor ? 'forbidden' : 'done'])
      for (const other of names.filter(name => name !== who)) {
        const response = await send(await issueOf(cast[other]))
        const outcome = !isEditor ? 'missing' : at === 3 ? 'forbidden' : 'done'
        expect([at, other, outcomeOf(response)]).toEqual([at, other, outcome])
        if (!isEditor) expectAlike(response, missing)
      }
    }
  })
})

describe('a notification', () => {
  it.each(names)('by %s is for its recipient alone, whatever ids are sent', async who => {
    const other = who === 'b' ? a1 : b
    await insertNotices(
      api.db,
      [{ user_id: other.user.id, kind: 'report_failed', report: (await other.report()).id }],
      api.clock.now,
    )
    const { id } = await api.db
      .selectFrom('notification')
      .select('id')
      .where('user_id', '=', other.user.id)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const [foreign, missing] = [
      await cast[who].post('/api/notifications/read/', { ids: [id] }),
      await cast[who].post('/api/notifications/read/', { ids: [NOWHERE] }),
    ]
    expectAlike(foreign, missing)
    const { read_at } = await api.db
      .selectFrom('notification')
      .select('read_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(read_at).toBe(null)
    const { results } = (await cast[who].get('/api/notifications/?limit=100')).body as {
      results: { id: number }[]
    }
    expect(results.map(notice => notice.id)).not.toContain(id)
  })
})

describe.each([
  { call: 'GET ID/' },
  { call: 'GET ID/spend/' },
  { call: 'GET ID/fee-agreement/' },
  {
    call: 'POST ID/fee-agreement/',
    body: { currency: 'TWD', from_month: '2026-01', tiers: [{ up_to: null, rate: 1500 }] },
  },
  { call: 'PATCH ID/', body: { version: 1 } },
  { call: 'DELETE ID/', body: { version: 1 } },
])('$call of a customer', ({ call, body }) => {
  const [method = '', path = ''] = call.split(' ')

  it.each(names)('by %s is for people who serve it, and for finance', async who => {
    // Each deletes one of their own.
    const of_a = await api.advertiser(`Of A ${randomUUID()}`, [a1, staff, manager].map(idOf))
    const of_b = await api.advertiser(`Of B ${randomUUID()}`, [b.user.id])
    const send = (advertiser: number) =>
      cast[who].call(method, `/api/advertiser/${path.replace('ID', String(advertiser))}`, body)
    const missing = await send(NOWHERE)
    const seesAll = ['director', 'superuser', 'finance'].includes(who)
    const isEnough =
      method === 'POST' ? seesAll : method === 'DELETE' ? seesAll || who === 'manager' : !isClient(who)
    expect(outcomeOf(missing)).toBe(isEnough ? 'missing' : 'forbidden')
    for (const [response, is_seen] of [
      [await send(of_a), seesAll || who === 'staff' || who === 'manager'],
      [await send(of_b), seesAll],
    ] as const) {
      expect(outcomeOf(response)).toBe(isEnough ? (is_seen ? 'done' : 'missing') : 'forbidden')
      if (!isEnough || !is_seen) expectAlike(response, missing)
    }
  })
})

interface AudienceCall {
  call: string
  body?: (of: Audience) => object
  isWrite?: boolean
  least?: 'manager'
}
const audienceCalls: AudienceCall[] = [
  { call: 'GET ID/' },
  { call: 'GET ID/uploads/' },
  { call: 'GET ID/history/' },
  { call: 'PATCH ID/', body: () => ({ version: 1, description: 'x' }), isWrite: true },
  { call: 'DELETE ID/', body: () => ({ version: 1 }), isWrite: true, least: 'manager' },
  { call: 'POST ID/members/', body: () => batchOf(people(0, 1)), isWrite: true },
  { call: 'GET erase/ERASURE/' },
  { call: 'GET sources/?advertiser=ADVERTISER' },
  { call: 'GET check-ad-account-permission/?ad_account=ACCOUNT&audience=ID' },
  {
    call: 'POST share-custom-audience/',
    body: ({ audience, account }) => ({ audience, ad_accounts: [account] }),
    isWrite: true,
  },
  { call: 'PATCH ID/shares/SHARE/', body: () => ({ auto_sync: false }), isWrite: true },
  { call: 'POST ID/shares/SHARE/retry/', isWrite: true },
  { call: 'DELETE ID/shares/SHARE/', isWrite: true, least: 'manager' },
]

describe.each(audienceCalls)('$call of an audience', ({ call, body, isWrite = false, least }) => {
  const [method = '', path = ''] = call.split(' ')
  const send = async (who: Name, of: Audience) =>
    await cast[who].call(
      method,
      `/api/lta/${path
        .replace('ID', String(of.audience))
        .replace('ERASURE', String(of.erasure))
        .replace('SHARE', String(of.share))
        .replace('ACCOUNT', String(of.account))
        .replace('ADVERTISER', String(of.advertiser))}`,
      body?.(of),
    )

  it.each(names)(
    'by %s is for people who may use its advertiser, and to write for those with the plan',
    async who => {
      const missing = await send(who, nowhere)
      expect(outcomeOf(missing)).toBe('missing')
      const seesAll = who === 'director' || who === 'superuser'
      const isEnough = !isWrite || (!isClient(who) && (who !== 'staff' || !least))
      for (const [advertiser, is_seen] of [
        [clientA, seesAll || ['a1', 'a2', 'staff', 'manager'].includes(who)],
        [clientB, seesAll || who === 'b'],
      ] as const) {
        const response = await send(who, await audienceOf(advertiser))
        expect(outcomeOf(response)).toBe(is_seen ? (isEnough ? 'done' : 'forbidden') : 'missing')
        if (!is_seen) expectAlike(response, missing)
      }
    },
  )
})

type Audience = Awaited<ReturnType<typeof audienceOf>>
const nowhere: Audience = {
  advertiser: NOWHERE,
  audience: NOWHERE,
  erasure: NOWHERE,
  share: NOWHERE,
  account: NOWHERE,
}

/** A list of nobody of the cast, with an erasure and a share that has failed. */
async function audienceOf(advertiser: number) {
  const { id: audience } = await api.db
    .insertInto('audience')
    .values({ advertiser, kind: 'customer_file', name: randomUUID(), basis: 'Terms', status: 'ready' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: erasure } = await api.db
    .insertInto('erasure')
    .values({
      advertiser,
      columns: ['email'],
      rows: 1,
      sealed: null,
      created_at: api.clock.now,
      finished_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: share, ad_account: account } = await shareWith(
    api,
    { id: audience, advertiser },
    { state: 'failed' },
  )
  return { advertiser, audience, erasure, share, account }
}

const plannedCalls = ['targetaudience', 'site'].flatMap(path => [
  { path, method: 'GET' },
  { path, method: 'PATCH', body: { version: 1, name: 'Other' } },
  { path, method: 'DELETE', body: { version: 1 }, least: 'manager' },
])

describe.each(plannedCalls)('$method of a $path', ({ path, method, body, least }) => {
  const send = (who: Name, id: number) => cast[who].call(method, `/api/${path}/${id}/`, body)

  it.each(names)('by %s is for the agency’s people who may use its advertiser', async who => {
    const missing = await send(who, NOWHERE)
    expect(outcomeOf(missing)).toBe(isClient(who) ? 'forbidden' : 'missing')
    const usesAll = who === 'director' || who === 'superuser'
    for (const [advertiser, is_seen] of [
      [clientA, usesAll || who === 'staff' || who === 'manager'],
      [clientB, usesAll],
    ] as const) {
      const made = async (created_by: number | null) =>
        await send(who, await plannedFor(path, { advertiser, created_by }))
      const response = await made(null)
      const isShort = least === 'manager' && who === 'staff'
      const expected = is_seen ? (isShort ? 'forbidden' : 'done') : outcomeOf(missing)
      expect(outcomeOf(response)).toBe(expected)
      if (!is_seen) expectAlike(response, missing)
      // One has made it, and may have lost the advertiser since.
      expect(outcomeOf(await made(cast[who].user.id))).toBe(is_seen ? 'done' : outcomeOf(missing))
    }
  })
})

const linkCalls: { call: string; body?: object; least?: 'manager' }[] = [
  { call: 'GET LINK/' },
  { call: 'PATCH LINK/', body: { version: 1, name: 'x' } },
  { call: 'DELETE LINK/', body: { version: 1 }, least: 'manager' },
  { call: 'POST LINK/check/' },
  { call: 'GET preset/PRESET/' },
  { call: 'PATCH preset/PRESET/', body: { version: 1, locked: [] } },
  { call: 'DELETE preset/PRESET/', body: { version: 1 }, least: 'manager' },
]

describe.each(linkCalls)('$call of campaign links', ({ call, body, least }) => {
  const [method = '', path = ''] = call.split(' ')
  const send = async (who: Name, { link, preset }: { link: number; preset: number }) =>
    await cast[who].call(
      method,
      `/api/ad/${path.replace('LINK', String(link)).replace('PRESET', String(preset))}`,
      body,
    )

  it.each(names)('by %s is for the agency’s people who may use the advertiser', async who => {
    const missing = await send(who, { link: NOWHERE, preset: NOWHERE })
    expect(outcomeOf(missing)).toBe(isClient(who) ? 'forbidden' : 'missing')
    const seesAll = who === 'director' || who === 'superuser'
    for (const [advertiser, is_seen] of [
      [clientA, !isClient(who) && (seesAll || who === 'staff' || who === 'manager')],
      [clientB, seesAll],
    ] as const) {
      const response = await send(who, await linkOf(advertiser))
      const expected = who === 'staff' && least ? 'forbidden' : 'done'
      expect(outcomeOf(response)).toBe(is_seen ? expected : outcomeOf(missing))
      if (!is_seen) expectAlike(response, missing)
    }
  })
})

describe('a preset of another advertiser in a body', () => {
  it.each(names)('by %s says no more than one that is not there', async who => {
    const { preset } = await linkOf(clientB)
    const usesAll = who === 'director' || who === 'superuser'
    for (const advertiser of usesAll ? [clientA] : [clientA, clientB]) {
      const row = { advertiser, landing_url: 'https://a.demo/', utm_medium: 'n', utm_campaign: 'c' }
      for (const send of [
        (of: number) => cast[who].post('/api/ad/', { ...row, preset: of }),
        (of: number) => cast[who].post('/api/ad/bulk/?dry_run=true', { rows: [{ ...row, preset: of }] }),
      ])
        expectAlike(await send(preset), await send(NOWHERE))
    }
  })
})

interface MaterialCall {
  call: string
  kind: 'image' | 'file'
  body?: object
  /** Of others’, who may not; one’s own may anybody. */
  least?: 'manager'
}
const materialCalls: MaterialCall[] = [
  ...(['image', 'file'] as const).flatMap((kind): MaterialCall[] => [
    { kind, call: 'GET' },
    { kind, call: 'PATCH', body: { version: 1, tags: ['x'] } },
    { kind, call: 'DELETE', body: { version: 1 }, least: 'manager' },
  ]),
  { kind: 'image', call: 'POST fit/', body: { format: 'google_square' } },
]

describe.each(materialCalls)('$call of an $kind', ({ call, kind, body, least }) => {
  const [method = '', path = ''] = call.split(' ')
  const send = async (who: Name, id: number) =>
    await cast[who].call(method, `/api/${kind}/${id}/${path}`, body)

  it.each(names)('by %s is for employees, and for those who may use its advertiser', async who => {
    const missing = await send(who, NOWHERE)
    expect(outcomeOf(missing)).toBe(isClient(who) ? 'forbidden' : 'missing')
    const seesAll = who === 'director' || who === 'superuser'
    const isEnough = !least || isAtLeast(cast[who].user.identity, least)
    for (const [advertiser, is_seen] of [
      [null, !isClient(who)],
      [clientA, seesAll || who === 'staff' || who === 'manager'],
      [clientB, seesAll],
    ] as const) {
      const response = await send(who, await materialOf(kind, advertiser))
      expect([advertiser, outcomeOf(response)]).toEqual([
        advertiser,
        is_seen ? (isEnough ? 'done' : 'forbidden') : outcomeOf(missing),
      ])
      if (!is_seen) expectAlike(response, missing)
    }
  })
})

async function plannedFor(path: string, facts: { advertiser: number; created_by: number | null }) {
  const name = randomUUID()
  const site = { ...facts, name, url: `https://${name}.demo/` }
  const audience = { ...facts, name, age_min: 18, age_max: 65 }
  const inserting =
    path === 'site'
      ? api.db.insertInto('site').values(site).returning('id')
      : api.db.insertInto('target_audience').values(audience).returning('id')
  return (await inserting.executeTakeFirstOrThrow()).id
}

describe.each([
  { method: 'GET' },
  { method: 'PATCH', body: { version: 1, note: 'x' } },
  { method: 'DELETE', body: { version: 1 } },
])('$method of a publisher', ({ method, body }) => {
  it.each(names)('by %s is for the agency’s people', async who => {
    const send = async (created_by: number | null) => {
      const values = { name: randomUUID(), type: 'news', created_by } as const
      const row = api.db.insertInto('publisher').values(values).returning('id')
      const { id } = await row.executeTakeFirstOrThrow()
      return outcomeOf(await cast[who].call(method, `/api/publisher/${id}/`, body))
    }
    const isShort = method === 'DELETE' && !isAtLeast(cast[who].user.identity, 'manager')
    expect(await send(null)).toBe(isClient(who) || isShort ? 'forbidden' : 'done')
    expect(await send(cast[who].user.id)).toBe(isClient(who) ? 'forbidden' : 'done')
  })
})

/** Made by nobody of the cast. */
async function linkOf(advertiser: number) {
  const utm = { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c' }
  const address = { landing_url: 'https://a.demo/', link: `https://a.demo/?${randomUUID()}` }
  const { id: link } = await api.db
    .insertInto('link')
    .values({ advertiser, name: 'A link', ...utm, ...address, ga4_channel: 'Unassigned' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: preset } = await api.db
    .insertInto('link_preset')
    .values({
      advertiser,
      name: randomUUID(),
      platform: 'meta',
      values: JSON.stringify({ utm_source: 'secret', utm_id: 'x' }),
      locked: ['utm_id'],
      allowed: JSON.stringify({ utm_medium: ['m'] }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { link, preset }
}

/** Of nobody of the cast. An image that meets a format already. */
async function materialOf(kind: 'image' | 'file', advertiser: number | null): Promise<number> {
  const [sha256 = ''] = await insertBlobs(api.db, 1)
  if (kind === 'file') return (await insertFile(api.db, { sha256, advertiser })).id
  const { id } = await insertImage(api.db, { sha256, preview_320: sha256, preview_1280: sha256, advertiser })
  await api.db.updateTable('image').set({ width: 300, height: 300 }).where('id', '=', id).execute()
  return id
}

interface BusinessCall {
  call: string
  body?: () => object
  least: 'external_user' | 'staff' | 'manager' | 'director'
}
const businessCalls: BusinessCall[] = [
  { call: 'GET ID/', least: 'external_user' },
  { call: 'POST ID/refresh/', least: 'staff' },
  { call: 'GET ID/members/', least: 'director' },
  { call: 'POST ID/members/', body: () => ({ user: staff.user.id }), least: 'director' },
  { call: 'DELETE ID/members/PERSON/', least: 'director' },
  { call: 'GET adaccount/ACCOUNT/users/', least: 'staff' },
  { call: 'PATCH adaccount/ACCOUNT/', body: () => ({ advertiser: clientA }), least: 'manager' },
]

describe.each(businessCalls)('$call of a business manager', ({ call, body, least }) => {
  const [method = '', path = ''] = call.split(' ')
  const send = async (who: Name, { business, account }: { business: number; account: number }) =>
    await cast[who].call(
      method,
      `/api/fb-business/${path
        .replace('ID', String(business))
        .replace('ACCOUNT', String(account))
        .replace('PERSON', String(b.user.id))}`,
      body?.(),
    )

  it.each(names)('by %s is for those who have it', async who => {
    const missing = await send(who, { business: NOWHERE, account: NOWHERE })
    const isEnough = isAtLeast(cast[who].user.identity, least)
    expect(outcomeOf(missing)).toBe(isEnough ? 'missing' : 'forbidden')
    const seesAll = who === 'director' || who === 'superuser'
    const serves = who === 'staff' || who === 'manager'
    for (const [relation, is_seen] of [
      ['granted', seesAll || !isClient(who) || !path.startsWith('adaccount')],
      ['with an account of one’s advertiser', seesAll || serves],
      ['of others', seesAll],
    ] as const) {
      const response = await send(who, await businessOf(who, relation))
      const isAllowed = isEnough && is_seen
      // Relating takes a grant.
      const isShort = method === 'PATCH' && who === 'manager' && relation !== 'granted'
      const expected = isAllowed ? (isShort ? 'forbidden' : 'done') : outcomeOf(missing)
      expect([relation, outcomeOf(response)]).toEqual([relation, expected])
      if (!isAllowed) expectAlike(response, missing)
    }
  })
})

type Having = 'granted' | 'with an account of one’s advertiser' | 'of others'

/** With an account that is nobody’s yet, client A’s or B’s, granted to client B and perhaps to `who`. */
async function businessOf(who: Name, relation: Having) {
  const external_id = randomUUID()
  const { id: login } = await api.db
    .insertInto('public_account')
    .values({
      platform: 'meta',
      login: Buffer.from('sealed'),
      login_fields: ['token'],
      name: 'Shared',
      expires_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: business } = await api.db
    .insertInto('business')
    .values({ external_id, name: 'A business', login })
    .returning('id')
    .executeTakeFirstOrThrow()
  const facts = { name: 'x', relation: 'client', status: 1, currency: 'TWD', timezone: 'UTC' } as const
  const { id: account } = await api.db
    .insertInto('business_ad_account')
    .values({ business, account: external_id, ...facts, listed_at: api.clock.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (relation !== 'granted')
    await api.account({ advertiser: relation === 'of others' ? clientB : clientA, external_id })
  const members = new Set([
    ...(who === 'b' ? [] : [b.user.id]),
    ...(relation === 'granted' ? [cast[who].user.id] : []),
  ])
  for (const user_id of members)
    await api.db
      .insertInto('business_member')
      .values({ business, user_id, created_at: api.clock.now })
      .execute()
  return { business, account }
}

const idOf = ({ user }: Client) => user.id
const isClient = (who: Name) => ['a1', 'a2', 'b'].includes(who)

describe.each([
  { call: 'GET relate/ad-account/?advertiser=ID' },
  { call: 'GET relate/ga-view/?advertiser=ID' },
  { call: 'POST relate/ad-account/', ids: 'ad_accounts', channel: 'fb' },
  { call: 'DELETE relate/ad-account/', ids: 'ad_accounts', channel: 'fb' },
  { call: 'POST relate/ga-view/', ids: 'ga_views', channel: 'ga4' },
  { call: 'DELETE relate/ga-view/', ids: 'ga_views', channel: 'ga4' },
] as const)('$call of an advertiser', ({ call, ...relating }) => {
  const [method = '', path = ''] = call.split(' ')

  it.each(names)('by %s is for people who may use it', async who => {
    const send = async (advertiser: number, accountOf = advertiser) => {
      const to = `/api/advertiser/${path.replace('ID', String(advertiser))}`
      if (!('ids' in relating)) return await cast[who].call(method, to)
      const account = await api.account({ advertiser: accountOf })
      await api.db
        .updateTable('ad_account')
        .set({ channel: relating.channel })
        .where('id', '=', account)
        .execute()
      return await cast[who].call(method, to, { advertiser, [relating.ids]: [account] })
    }
    const [of_a, of_b, missing] = [await send(clientA), await send(clientB), await send(NOWHERE, clientA)]
    const seesAll = who === 'director' || who === 'superuser'
    for (const [response, is_seen] of [
      [of_a, seesAll || who === 'staff' || who === 'manager'],
      [of_b, seesAll],
    ] as const) {
      expect(response.status === 200).toBe(is_seen)
      if (!is_seen) expectAlike(response, missing)
    }
    expect(outcomeOf(missing)).toBe(isClient(who) ? 'forbidden' : 'missing')
  })
})

const DRAFT = { version: 1 }
describe.each([
  { call: 'GET /' },
  { call: 'PATCH /', body: { ...DRAFT, title: 'Renamed' } },
  { call: 'DELETE /', body: DRAFT, least: 'manager' },
  { call: 'POST /send/', body: DRAFT },
  { call: 'POST /accept/', body: { ...DRAFT, accepted_on: '2026-11-01', accepted_by: 'x' } },
  { call: 'POST /reject/', body: { ...DRAFT, reason: 'x' } },
  { call: 'POST /cancel/', body: DRAFT },
  { call: 'POST /revise/', body: DRAFT },
  { call: 'POST /copy/', body: DRAFT },
  { call: 'POST /spent/', body: { ...DRAFT, lines: [{ line: 1, typed_spent: null }] } },
  { call: 'GET /acceptance/' },
  { call: 'GET /delivery/' },
])('$call of an insertion order', ({ call, body, least }) => {
  const [method = '', ending = ''] = call.split(' ')

  it.each(names)('by %s is for people who serve the advertiser, and for finance', async who => {
    const send = async (id: number) =>
      await cast[who].call(method, `/api/ad_insertion/quotation/${id}${ending}`, body)
    const missing = await send(NOWHERE)
    expect(outcomeOf(missing)).toBe(isClient(who) ? 'forbidden' : 'missing')
    for (const [advertiser, is_seen] of billed(who)) {
      const order = method === 'DELETE' ? await draftOf(advertiser) : (await orderOf(advertiser)).quotation
      const response = await send(order)
      const allowed = who === 'staff' && least ? 'forbidden' : 'done'
      expect(outcomeOf(response)).toBe(is_seen ? allowed : outcomeOf(missing))
      if (!is_seen) expectAlike(response, missing)
    }
  })
})

describe.each([
  { call: 'GET /' },
  { call: 'PATCH /', body: { version: 1, note: 'x' }, isForFinance: true },
  { call: 'POST /void/', body: { version: 1, reason: 'x' }, isForFinance: true },
  { call: 'POST /receipt/', body: { version: 1, on: '2026-11-01', amount: 1_000_000 }, isForFinance: true },
  { call: 'POST /receipt/RECEIPT/reverse/', body: { version: 1, reason: 'x' }, isForFinance: true },
])('$call of a payment', ({ call, body, isForFinance = false }) => {
  const [method = '', ending = ''] = call.split(' ')

  it.each(names)('by %s is for people who serve the advertiser, and for finance', async who => {
    const send = async ({ payment, receipt }: { payment: number; receipt: number }) =>
      await cast[who].call(
        method,
        `/api/ad_insertion/payment/${payment}${ending.replace('RECEIPT', String(receipt))}`,
        body,
      )
    const missing = await send({ payment: NOWHERE, receipt: NOWHERE })
    const isAllowed = !isClient(who) && (!isForFinance || ['director', 'finance', 'superuser'].includes(who))
    expect(outcomeOf(missing)).toBe(isAllowed ? 'missing' : 'forbidden')
    for (const [advertiser, is_seen] of billed(who)) {
      const response = await send(await orderOf(advertiser))
      expect(outcomeOf(response)).toBe(isAllowed && is_seen ? 'done' : outcomeOf(missing))
      if (!isAllowed || !is_seen) expectAlike(response, missing)
    }
  })
})

/** Whose orders one sees. */
const billed = (who: Name) => {
  const seesAll = ['director', 'finance', 'superuser'].includes(who)
  return [
    [clientA, seesAll || who === 'staff' || who === 'manager'],
    [clientB, seesAll],
  ] as const
}

/** A draft of an advertiser by nobody of the cast, with what an accepted order has. */
async function orderOf(advertiser: number) {
  const quotation = await draftOf(advertiser)
  const file = {
    name: 'signed.pdf',
    mime: 'application/pdf',
    sha256: Buffer.from(''),
    bytes: Buffer.from('x'),
  }
  await api.db
    .insertInto('quotation_file')
    .values({ quotation, kind: 'acceptance', ...file })
    .execute()
  const money = { untaxed: 0, taxable: 2_000_000, tax_amount: 0, amount: 2_000_000, currency: 'TWD' }
  const { id: payment } = await api.db
    .insertInto('payment')
    .values({
      number: randomUUID(),
      quotation,
      advertiser,
      ...money,
      issue_on: '2026-11-01',
      due_on: '2026-11-30',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: receipt } = await api.db
    .insertInto('receipt')
    .values({ payment, on: '2026-11-01', amount: 0, method: 'cash' })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { quotation, payment, receipt }
}

/** Of an advertiser, by nobody of the cast. */
async function draftOf(advertiser: number): Promise<number> {
  const { id: owner } = await api.db
    .insertInto('users')
    .values({ username: randomUUID(), identity: 'staff', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id } = await api.db
    .insertInto('quotation')
    .values({
      title: 'An order',
      advertiser,
      owner,
      currency: 'TWD',
      tax: 'tw_vat',
      media_billing: 'agency',
      language: 'en',
      payment_terms: JSON.stringify({ kind: 'days', days: 30 }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('undoing a bulk operation', () => {
  it.each(names)('by %s is for the person who did it', async who => {
    const send = (id: string) => cast[who].post(`${REPORTS}care/${id}/undo/`, {})
    const made = async ({ user }: Client) => {
      const id = randomUUID()
      await api.db.insertInto('bulk_operation').values({ id, kind: 'extend', actor: user.id }).execute()
      return id
    }
    expect(outcomeOf(await send(await made(cast[who])))).toBe('done')
    const missing = await send(randomUUID())
    for (const other of names.filter(name => name !== who))
      expectAlike(await send(await made(cast[other])), missing)
  })
})

describe.each([
  ['GET', '/', undefined],
  ['PATCH', '/', { name: 'Other' }],
  ['POST', '/test/', undefined],
  ['POST', '/import-accounts/', undefined],
  ['GET', '/disconnect/', undefined],
  ['POST', '/disconnect/', undefined],
  ['DELETE', '/', undefined],
] as const)('%s %s of a shared login', (method, ending, body) => {
  it('is for superusers; for others it does not exist', async () => {
    const { id } = await api.db
      .insertInto('public_account')
      .values({
        platform: 'meta',
        name: 'Shared',
        login: Buffer.from('sealed'),
        login_fields: ['token'],
        expires_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const who of names) {
      const send = (expected: number) =>
        cast[who].call(method, `/api/public-account/${expected}${ending}`, body)
      const missing = await send(NOWHERE)
      expect([who, outcomeOf(missing)]).toEqual([who, who === 'superuser' ? 'missing' : 'forbidden'])
      if (who !== 'superuser') expectAlike(await send(id), missing)
    }
  })
})

describe.each(['gs_permission_check', 'gs_sheet_name_list', 'gs_place'])('%s of a spreadsheet', path => {
  it('responds for another person’s as for one that does not exist', async () => {
    const bound = async (advertiser: number | null) => {
      const spreadsheet_id = randomUUID().repeat(2)
      if (advertiser !== null)
        await api.db
          .insertInto('spreadsheet_binding')
          .values({ spreadsheet_id, advertiser, proven_by: b.user.id, proof: 'permission' })
          .execute()
      return spreadsheet_id
    }
    const [theirs, nobodys] = [await bound(clientB), await bound(null)]
    for (const who of [a1, a2, staff, cast.finance]) {
      const send = (id: string) =>
        who.get(
          `/api/ad/${path}/?spreadsheet_url=${encodeURIComponent(`https://docs.google.com/spreadsheets/d/${id}/edit`)}${path === 'gs_place' ? '&sheet_name=T' : ''}`,
        )
      expectAlike(await send(theirs), await send(nobodys), [theirs, nobodys])
    }
  })
})
