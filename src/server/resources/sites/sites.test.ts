import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { ImportReply } from '#shared/api/customers.ts'
import { Site, SiteList } from '#shared/api/materials.ts'
import { somebodyWaits } from '#server/db/testing/somebody-waits.ts'
import { expectRefusal, testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { LTA } from '#server/resources/audiences/testing/members.ts'
import { deleteSite, lockSite } from './queries.ts'

const api = await testApi({
  effects: {
    audiences: {
      ga4Audiences: async () => ({ audiences: [], code: null }),
      access: async () => ({ result: 'ok', business: null, fix_url: null }),
    },
  },
})
const { db } = api
const staff = await api.signedIn('staff')
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager', { department: 2 })
const client = await api.signedIn('external_user')
const members = [staff, colleague, manager, client].map(({ user }) => user.id)
const advertiser = await api.advertiser('Aurora', members)
const other = await api.advertiser('Borealis', [staff.user.id])

const PATH = '/api/site/'
const META = { platform: 'meta', id: '3390001' }
const one = ({ body }: ApiResponse) => Site.parse(body)
const address = () => `https://${randomUUID()}.demo/`
const create = (facts: object = {}, who: Client = staff) =>
  who.post(PATH, { advertiser, name: 'Shop', url: address(), ...facts })
const made = async (facts: object = {}) => {
  const response = await create(facts)
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return one(response)
}
const update = ({ id, version = 1 }: { id: number; version?: number }, body: object) =>
  staff.patch(`${PATH}${id}/`, { version, ...body })
const remove = (who: Client, { id, version = 1 }: { id: number; version?: number }) =>
  who.delete(`${PATH}${id}/`, { version })
const visitorsOf = (site: { id: number; advertiser: number }) =>
  staff.post(LTA, {
    advertiser: site.advertiser,
    kind: 'website',
    name: randomUUID(),
    site: site.id,
    rule: { match: 'all' },
  })
const sources = async (of = advertiser): Promise<number[]> => {
  const { body } = await staff.get(`${LTA}sources/?advertiser=${of}`)
  return Object(body).sites.map(({ site }: { site: number }) => site)
}

describe('sites', () => {
  it('have an address in its normal form, a platform and pixels', async () => {
    const facts = {
      platform: 'shopline',
      pixels: [META, { platform: 'ga4', id: 'G-ABC123' }],
    }
    const site = await made({ ...facts, url: 'HTTPS://Shop.例え.jp:443/a/../tw?x=1#top' })
    expect(site).toMatchObject({
      ...facts,
      url: 'https://shop.xn--r8jz45g.jp/tw?x=1',
      advertiser_name: 'Aurora',
      is_active: true,
      version: 1,
      created_by: staff.user.id,
      may_delete: true,
    })
    expect(await made()).toMatchObject({ platform: 'other', pixels: [] })
  })

  it.each([
    ['url', 'field_invalid', { url: 'javascript:alert(1)' }],
    ['url', 'field_invalid', { url: 'https://a@b.demo/' }],
    ['url', 'field_invalid', { url: 'shop.demo' }],
    ['url', 'field_too_long', { url: `https://b.demo/${'é'.repeat(100)}` }],
    ['name', 'field_required', { name: '' }],
    ['platform', 'field_invalid', { platform: 'magento' }],
    ['pixels', 'field_invalid', { pixels: [META, META] }],
    ['pixels.0.id', 'field_invalid', { pixels: [{ platform: 'meta', id: 'no spaces' }] }],
    [
      'pixels',
      'field_too_many',
      { pixels: Array.from({ length: 11 }, (_, n) => ({ platform: 'meta', id: String(n) })) },
    ],
    ['advertiser', 'field_not_available', { advertiser: 999_999_999 }],
  ] as const)('refuse a wrong %s: %s', async (field, code, facts) => {
    expectRefusal(await create(facts), 400, 'invalid', { [field]: [code] })
  })

  it('are at an address once for each advertiser, which stays', async () => {
    const { url } = await made()
    const taken = { url: ['name_taken'] } as const
    for (const again of [url, url.toUpperCase(), `${url}#top`])
      expectRefusal(await create({ url: again }), 400, 'invalid', taken)
    expect((await create({ url, advertiser: other })).status).toBe(201)
    const second = await made()
    expectRefusal(await update(second, { url }), 400, 'invalid', taken)
    expectRefusal(await update(second, { advertiser: other }), 400, 'invalid', {
      advertiser: ['field_unknown'],
    })
  })

  it('are changed by one of two who have read the same version', async () => {
    const site = await made()
    const [first, second] = await Promise.all([update(site, { name: 'A' }), update(site, { name: 'B' })])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ site: one(won) })
  })

  it('are nothing for clients, nor for the agency’s people beside their advertisers', async () => {
    const site = await made()
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await client.get(`${PATH}${site.id}/`), 403, 'forbidden')
    const theirs = await made({ advertiser: other })
    for (const response of [
      await colleague.get(`${PATH}${theirs.id}/`),
      await colleague.patch(`${PATH}${theirs.id}/`, { version: 1, name: 'x' }),
      await remove(colleague, theirs),
    ])
      expectRefusal(response, 404, 'not_found')
    expectRefusal(await create({ advertiser: other }, colleague), 400, 'invalid', {
      advertiser: ['field_not_available'],
    })
  })

  it('are deleted by their maker or a manager, once nothing points to them', async () => {
    const site = await made({ pixels: [META] })
    expect(one(await colleague.get(`${PATH}${site.id}/`)).may_delete).toBe(false)
    expectRefusal(await remove(colleague, site), 403, 'forbidden')
    expect((await visitorsOf(site)).status).toBe(201)
    const link = {
      landing_url: site.url,
      utm_source: 'x',
      utm_medium: 'x',
      utm_campaign: 'x',
      link: site.url,
    }
    await db
      .insertInto('link')
      .values({ advertiser, site: site.id, name: 'x', ga4_channel: 'Unassigned', ...link })
      .execute()
    const refused = await remove(staff, site)
    expectRefusal(refused, 409, 'in_use')
    expect(Object(refused.body).by).toEqual({ audiences: 1, links: 1 })
    for (const who of [staff, manager]) expect((await remove(who, await made())).status).toBe(204)
  })
})

describe('the list of sites', () => {
  it('is searched by name and address, filtered, ordered and exported', async () => {
    const of = await api.advertiser('Listed', [staff.user.id])
    const own = { advertiser: of }
    await made({ ...own, name: 'Alpha', url: 'https://alpha.demo', platform: 'cyberbiz', pixels: [META] })
    await made({ ...own, name: '50% off', url: 'https://beta.demo', is_active: false })
    const found = async (query: string) =>
      SiteList.parse((await staff.get(`${PATH}?advertiser=${of}&${query}`)).body).results.map(
        ({ name }) => name,
      )
    expect(await found('')).toEqual(['50% off', 'Alpha'])
    expect(await found('search=BETA.demo')).toEqual(['50% off'])
    expect(await found('search=%25')).toEqual(['50% off'])
    expect(await found('platform=cyberbiz')).toEqual(['Alpha'])
    expect(await found('is_active=false')).toEqual(['50% off'])
    for (const ordering of ['name', '-url', 'advertiser', 'platform', '-last_modified_at', 'id'])
      expect(await found(`ordering=${ordering}`)).toHaveLength(2)
    const { body } = await staff.get(`${PATH}?advertiser=${of}&format=csv&ordering=name`)
    expect(String(body).split('\r\n').slice(1, 3)).toEqual([
      'Listed,50% off,https://beta.demo/,other,,no',
      'Listed,Alpha,https://alpha.demo/,cyberbiz,meta 3390001,yes',
    ])
  })
})

describe('a site that audiences are made of', () => {
  it('keeps its Meta pixel, which may be replaced', async () => {
    const site = await made({ pixels: [META, { platform: 'tiktok', id: 'C1' }] })
    expect((await visitorsOf(site)).status).toBe(201)
    const refused = await update(site, { pixels: [{ platform: 'tiktok', id: 'C1' }] })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { audiences: 1 } })
    expect((await update(site, { pixels: [{ platform: 'meta', id: '3390002' }] })).status).toBe(200)
    const unused = await made({ pixels: [META] })
    expect((await update(unused, { pixels: [] })).status).toBe(200)
  })

  it('is offered only while it is active', async () => {
    const site = await made({ pixels: [META] })
    const listed = await visitorsOf(site)
    expect(await sources()).toContain(site.id)
    expect((await update(site, { is_active: false })).status).toBe(200)
    expect(await sources()).not.toContain(site.id)
    expectRefusal(await visitorsOf(site), 400, 'invalid', { site: ['field_not_available'] })
    // Those that there are live on.
    const { body } = await staff.get(`${LTA}${Object(listed.body).id}/`)
    expect(body).toMatchObject({ site: site.id, status: 'ready' })
  })

  it('waits for an audience that is being made before it loses its pixel or goes', async () => {
    for (const end of [(site: Site) => update(site, { pixels: [] }), (site: Site) => remove(staff, site)]) {
      const site = await made({ pixels: [META] })
      const making = await db.startTransaction().execute()
      await sql`select from site where id = ${site.id} for share`.execute(making)
      const ending = end(site)
      await somebodyWaits(db)
      const facts = { advertiser, kind: 'website', name: randomUUID(), site: site.id } as const
      await making.insertInto('audience').values(facts).execute()
      await making.commit().execute()
      expectRefusal(await ending, 409, 'in_use')
    }
  })

  it('is not available for an audience that has waited for its deletion', async () => {
    const site = await made({ pixels: [META] })
    const removing = await db.startTransaction().execute()
    await lockSite(removing, staff.user, site.id)
    const making = visitorsOf(site)
    await somebodyWaits(db)
    await deleteSite(removing, site.id)
    await removing.commit().execute()
    expectRefusal(await making, 400, 'invalid', { site: ['field_not_available'] })
  })
})

describe('an import of sites', () => {
  const send = (content: string, { who = staff, dry_run = false } = {}) => {
    const form = new FormData()
    form.set('file', new File([content], 'sites.csv', { type: 'text/csv' }))
    return who.post(`${PATH}import/?dry_run=${dry_run}`, form)
  }
  const outcome = ({ body }: ApiResponse) => ImportReply.parse(body)
  const problems = async (content: string, who = staff) =>
    outcome(await send(content, { who, dry_run: true })).problems.map(
      ({ row, field, code }) => `${row} ${field} ${code}`,
    )
  const importing = async () => {
    const name = `Of imports ${randomUUID()}`
    return { name, id: await api.advertiser(name, [staff.user.id]) }
  }

  it('takes back what was exported, in either language, as the same', async () => {
    const { id } = await importing()
    await made({ advertiser: id, name: '=1+1', pixels: [META, { platform: 'line', id: 'a-b_c' }] })
    await made({ advertiser: id, is_active: false, platform: '91app' })
    for (const language of ['zh-TW', 'en']) {
      await staff.patch(`/api/users/${staff.user.id}/`, { language })
      const { body } = await staff.get(`${PATH}?advertiser=${id}&format=csv`)
      expect(outcome(await send(String(body)))).toEqual({ create: 0, change: 0, same: 2, problems: [] })
    }
  })

  it('creates and changes by advertiser and address', async () => {
    const { name, id } = await importing()
    const site = await made({ advertiser: id, url: 'https://one.demo/', pixels: [META] })
    const file = [
      'advertiser,url,name,platform,pixels',
      `${name},HTTPS://ONE.demo,Renamed,,meta 3390001`,
      `${name},https://two.demo/x,Two,shopify,"meta 1\ntiktok C2"`,
    ].join('\n')
    const counts = { create: 1, change: 1, same: 0, problems: [] }
    expect(outcome(await send(file, { dry_run: true }))).toEqual(counts)
    expect(outcome(await send(file))).toEqual(counts)
    expect(one(await staff.get(`${PATH}${site.id}/`))).toMatchObject({
      name: 'Renamed',
      version: 2,
      platform: 'other',
    })
    const { body } = await staff.get(`${PATH}?search=two.demo`)
    expect(SiteList.parse(body).results).toMatchObject([
      {
        advertiser: id,
        name: 'Two',
        url: 'https://two.demo/x',
        created_by: staff.user.id,
        pixels: [
          { platform: 'meta', id: '1' },
          { platform: 'tiktok', id: 'C2' },
        ],
      },
    ])
    expect(outcome(await send(file))).toEqual({ create: 0, change: 0, same: 2, problems: [] })
  })

  it('names each problem by row and field, and writes nothing', async () => {
    const { name, id } = await importing()
    const site = await made({ advertiser: id, url: 'https://used.demo/', pixels: [META] })
    expect((await visitorsOf(site)).status).toBe(201)
    const file = [
      'advertiser,url,name,platform,pixels',
      `Borealis,https://b.demo,B,,`,
      `Nobody,https://c.demo,C,,`,
      `${name},https://d.demo,,,`,
      `${name},nothing,E,magento,meta`,
      `${name},https://used.demo,F,,tiktok 1`,
      `${name},https://used.demo/#x,G,,meta 3`,
      `,https://h.demo,H,,`,
    ].join('\n')
    expect(await problems(file, colleague)).toContain('2 advertiser field_not_available')
    expect(await problems(file)).toEqual([
      '3 advertiser field_not_available',
      '4 name field_required',
      '5 url field_invalid',
      '5 platform field_invalid',
      '5 pixels.0.id field_invalid',
      '6 pixels in_use',
      '7 url name_taken',
      '8 advertiser field_required',
    ])
    expectRefusal(await send(file), 400, 'invalid', { file: ['field_invalid'] })
    const { body } = await staff.get(`${PATH}?advertiser=${id}`)
    expect(SiteList.parse(body).count).toBe(1)
    expect(await problems('url,name\nhttps://x.demo,X')).toEqual(['1 advertiser field_required'])
  })

  it('is of a file of a sensible size, and for the agency’s people', async () => {
    expectRefusal(await send('advertiser,url\n', { who: client }), 403, 'forbidden')
    const row = 'Aurora,https://x.demo\n'
    const tooMany = await send(`advertiser,url\n${row.repeat(5001)}`)
    expectRefusal(tooMany, 400, 'invalid', { file: ['field_too_many'] })
    const tooLarge = await send(`advertiser,url\n${row.repeat(50_000)}`)
    expectRefusal(tooLarge, 400, 'invalid', { file: ['file_too_large'] })
  })
})
