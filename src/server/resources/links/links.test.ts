import { describe, expect, it } from 'vitest'
import { Link, LinkList } from '#shared/api/links.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { materials } from './testing/materials.ts'

const api = await testApi()
const staff = await api.signedIn('staff')
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager', { department: 2 })
const director = await api.signedIn('director')
const aurora = await api.advertiser('Aurora', [staff.user.id, colleague.user.id, manager.user.id])
const cedar = await api.advertiser('Cedar', [manager.user.id])
const client = await api.client()
const { site, publisher, image, file } = materials(api.db)

const PATH = '/api/ad/'
const LANDING = 'https://shop.aurora.demo/autumn'
const facts = {
  advertiser: aurora,
  landing_url: LANDING,
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
}
const one = ({ body }: ApiResponse) => Link.parse(body)
const names = ({ body }: ApiResponse) => LinkList.parse(body).results.map(({ name }) => name)
const make = async (changes: object = {}, by = staff) => one(await by.post(PATH, { ...facts, ...changes }))
const presetNamed = async (name: string) =>
  (await api.db.selectFrom('link_preset').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id

describe('a link', () => {
  it('is worked out of what is entered', async () => {
    const landing_url = `${LANDING}?ref=hp&utm_source=old#top`
    expect(await make({ landing_url, utm_id: 'AU-2026-11' })).toMatchObject({
      name: 'facebook · autumn_2026',
      link: `${LANDING}?ref=hp&utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn_2026&utm_id=AU-2026-11#top`,
      ga4_channel: 'Paid Social',
      warnings: [{ code: 'replaced', field: 'landing_url' }],
      landing_url,
      platform: null,
      preset: null,
      check: null,
      version: 1,
      created_by: staff.user.id,
      may_delete: true,
    })
  })

  it('shows the host that it leads to in punycode, when it is made and when it is changed', async () => {
    const { id, landing_url } = await make({ landing_url: 'https://аurora.demo/Ä' })
    expect(landing_url).toBe('https://xn--urora-3ve.demo/Ä')
    const changed = await staff.patch(`${PATH}${id}/`, { version: 1, landing_url: 'https://例え.jp/é' })
    expect(one(changed).landing_url).toBe('https://xn--r8jz45g.jp/é')
  })

  it.each<[object, Record<string, ErrorCode[]>]>([
    [{ landing_url: 'javascript:alert(1)' }, { landing_url: ['field_invalid'] }],
    [{ landing_url: 'https://a@b.demo/' }, { landing_url: ['field_invalid'] }],
    [{ utm_content: 'amy@mail.demo' }, { utm_content: ['personal_data'] }],
    [{ platform: 'meta', utm_content: '__CID__' }, { utm_content: ['placeholder_unknown'] }],
    [
      { utm_source: '', utm_campaign: '' },
      { utm_source: ['field_required'], utm_campaign: ['field_required'] },
    ],
    [{ extra: [{ key: 'utm_x', value: '' }] }, { 'extra.0.key': ['field_not_available'] }],
    [{ landing_url: `${LANDING}?${'x'.repeat(1990 - LANDING.length)}` }, { link: ['link_too_long'] }],
    [{ utm_term: 'a\u0007b' }, { utm_term: ['field_characters'] }],
    [{ utm_term: 'x'.repeat(101) }, { utm_term: ['field_too_long'] }],
    [
      { extra: Array.from({ length: 11 }, (_, at) => ({ key: `k${at}`, value: '' })) },
      { extra: ['field_too_many'] },
    ],
    [{ advertiser: cedar }, { advertiser: ['field_not_available'] }],
    [{ advertiser: 999_999_999 }, { advertiser: ['field_not_available'] }],
    [{ preset: 999_999_999 }, { preset: ['field_not_available'] }],
    [{ publisher: 999_999_999 }, { publisher: ['field_not_available'] }],
  ])('is refused: %j', async (changes, fields) => {
    expectRefusal(await staff.post(PATH, { ...facts, ...changes }), 400, 'invalid', fields)
  })

  it('names what is its advertiser’s, or the agency’s', async () => {
    const own = { site: await site(aurora), publisher: await publisher(), image: await image(aurora) }
    expect(await make({ ...own, file: await file(null) })).toMatchObject({
      ...own,
      site_name: 'Shop',
      image_name: 'Image',
      file_name: 'File',
    })
    for (const other of [
      { site: await site(cedar) },
      { image: await image(cedar) },
      { file: await file(cedar) },
    ]) {
      const [field = ''] = Object.keys(other)
      const refused = { [field]: ['field_not_available'] } satisfies Record<string, ErrorCode[]>
      expectRefusal(await manager.post(PATH, { ...facts, ...other }), 400, 'invalid', refused)
      const { id } = await make()
      expectRefusal(await manager.patch(`${PATH}${id}/`, { version: 1, ...other }), 400, 'invalid', refused)
    }
    const mine = await make({ image: await image(null) })
    expect(one(await staff.patch(`${PATH}${mine.id}/`, { version: 1, image: null })).image).toBeNull()
  })

  it('follows a preset', async () => {
    const preset = await presetNamed('Meta Ads')
    const { utm_source: _source, utm_medium: _medium, utm_campaign: _campaign, ...rest } = facts
    const link = await make({ preset, name: 'By preset' })
    expect(link).toMatchObject({ preset_name: 'Meta Ads', platform: 'meta', utm_source_platform: 'Meta Ads' })
    expect(one(await staff.post(PATH, { ...rest, preset })).link).toBe(
      `${LANDING}?utm_source=facebook&utm_medium=paid_social&utm_campaign={{campaign.name}}&utm_content={{ad.id}}&utm_source_platform=Meta%20Ads`,
    )
    for (const send of [
      (changes: object) => staff.post(PATH, { ...rest, preset, ...changes }),
      (changes: object) => staff.patch(`${PATH}${link.id}/`, { version: 1, ...changes }),
    ]) {
      expectRefusal(await send({ utm_source: 'line' }), 400, 'invalid', { utm_source: ['value_not_allowed'] })
      expectRefusal(await send({ utm_source_platform: '' }), 400, 'invalid', {
        utm_source_platform: ['value_locked'],
      })
    }
  })
})

describe('links', () => {
  it('are those of one’s advertisers', async () => {
    const mine = await make({ name: 'Findable one', platform: 'tiktok' })
    const theirs = await make({ name: 'Findable two', advertiser: cedar }, manager)
    expect(names(await staff.get(`${PATH}?search=findable`))).toEqual(['Findable one'])
    expect(names(await manager.get(`${PATH}?search=findable`))).toEqual(['Findable two', 'Findable one'])
    expect(names(await director.get(`${PATH}?search=findable&ordering=name`))).toEqual([
      'Findable one',
      'Findable two',
    ])
    for (const path of [`${theirs.id}/`, '999999999/']) {
      expectRefusal(await staff.get(PATH + path), 404, 'not_found')
      expectRefusal(await staff.patch(PATH + path, { version: 1, name: 'x' }), 404, 'not_found')
      expectRefusal(await staff.delete(PATH + path, { version: 1 }), 404, 'not_found')
      expectRefusal(await staff.post(`${PATH}${path}check/`), 409, 'link_checks_off')
    }
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await client.get(`${PATH}${mine.id}/`), 403, 'forbidden')
    expectRefusal(await client.post(PATH, { ...facts, advertiser: client.advertiser }), 403, 'forbidden')
  })

  it('are found by address, advertiser, site, publisher, creative, platform and channel', async () => {
    const creatives = { image: await image(aurora), file: await file(null) }
    const own = { site: await site(aurora), publisher: await publisher(), ...creatives }
    await make({ ...own, name: 'Print', utm_source: 'flyer', utm_medium: 'qr', platform: 'line' })
    for (const query of [
      'search=utm_source%3Dflyer',
      `site=${own.site}`,
      `publisher=${own.publisher}`,
      `image=${own.image}`,
      `file=${own.file}`,
      `platform=line&advertiser=${aurora}`,
      'ga4_channel=Unassigned',
    ])
      expect(names(await staff.get(`${PATH}?${query}`))).toEqual(['Print'])
    expect(names(await staff.get(`${PATH}?platform=line&advertiser=${cedar}`))).toEqual([])
    for (const field of LinkOrders)
      for (const ordering of [field, `-${field}`])
        expect((await staff.get(`${PATH}?ordering=${ordering}`)).status).toBe(200)
  })

  it('are exported', async () => {
    const creatives = { image: await image(aurora), file: await file(null) }
    const extra = [{ key: 'a', value: 'b' }]
    const { id } = await make({ ...creatives, name: '=Exported', extra, platform: 'ly_search' })
    const check = JSON.stringify({ outcome: 'utm_lost', hops: [], checked_at: '2026-11-27T00:00:00.000Z' })
    await api.db.updateTable('link').set({ check }).where('id', '=', id).execute()
    const { status, body } = await staff.get(`${PATH}?format=csv&search=exported`)
    expect(status).toBe(200)
    expect(body).toContain("'=Exported")
    expect(body).toContain('a=b')
    expect(body).toContain(',Image,File,,Parameters lost,2026-11-27 08:00:00,')
    expect(body).toContain(`${LANDING}?utm_source=facebook`)
  })

  it('stand beside the other calls below the same path', async () => {
    for (const path of ['metrics/', 'account/', 'preset/', 'ecspend/'])
      expect((await staff.get(PATH + path)).body).not.toMatchObject({ code: 'not_found' })
    expectRefusal(await staff.get(`${PATH}nothing/`), 404, 'not_found')
  })
})

const LinkOrders = [
  'id',
  'name',
  'advertiser',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'ga4_channel',
  'last_modified_at',
]

describe('a change of a link', () => {
  it('makes the address anew, and forgets what came of following the old one', async () => {
    const { id } = await make()
    const check = { outcome: 'ok', hops: [], checked_at: '2026-11-27T00:00:00.000Z' }
    const checked = () =>
      api.db
        .updateTable('link')
        .set({ check: JSON.stringify(check) })
        .where('id', '=', id)
        .execute()
    await checked()
    const change = async (body: object) => one(await staff.patch(`${PATH}${id}/`, body))
    expect(await change({ version: 1, name: 'Renamed' })).toMatchObject({
      name: 'Renamed',
      check,
      version: 2,
    })
    expect(await change({ version: 2, utm_source: 'facebook' })).toMatchObject({ check })
    expect(await change({ version: 3, utm_source: 'line', utm_medium: 'display' })).toMatchObject({
      link: `${LANDING}?utm_source=line&utm_medium=display&utm_campaign=autumn_2026`,
      ga4_channel: 'Display',
      check: null,
    })
    await checked()
    expect(await change({ version: 4, extra: [{ key: 'a', value: '1' }] })).toMatchObject({
      check: null,
      extra: [{ key: 'a', value: '1' }],
    })
    expectRefusal(await staff.patch(`${PATH}${id}/`, { version: 5, utm_medium: '' }), 400, 'invalid', {
      utm_medium: ['field_required'],
    })
    expectRefusal(await staff.patch(`${PATH}${id}/`, { version: 5, advertiser: cedar }), 400, 'invalid', {
      advertiser: ['field_unknown'],
    })
  })

  it('of a name is taken although the preset has become stricter', async () => {
    const preset = await staff.post('/api/ad/preset/', { advertiser: aurora, name: 'Strict' })
    const { id } = preset.body as { id: number }
    const link = await make({ preset: id })
    const stricter = { version: 1, locked: ['utm_id'], values: { utm_id: 'x' } }
    expect((await staff.patch(`/api/ad/preset/${id}/`, stricter)).status).toBe(200)
    expect(one(await staff.patch(`${PATH}${link.id}/`, { version: 1, name: 'New' })).name).toBe('New')
    expectRefusal(await staff.patch(`${PATH}${link.id}/`, { version: 2, utm_term: 'a' }), 400, 'invalid', {
      utm_id: ['value_locked'],
    })
  })

  it('is that of one of two who have read the same version', async () => {
    const { id } = await make()
    const change = (name: string) => staff.patch(`${PATH}${id}/`, { version: 1, name })
    const [first, second] = await Promise.all([change('first'), change('second')])
    const [won, lost] = first.status === 200 ? [first, second] : [second, first]
    expectRefusal(lost, 409, 'conflict')
    expect(lost.body).toMatchObject({ link: { version: 2, name: one(won).name } })
  })
})

describe('a link that is no longer needed', () => {
  it('is deleted by its maker or a manager', async () => {
    const [first, second] = [await make(), await make()]
    const path = `${PATH}${first.id}/`
    expect(one(await colleague.get(path)).may_delete).toBe(false)
    expectRefusal(await colleague.delete(path, { version: 1 }), 403, 'forbidden')
    const refused = await staff.delete(path, { version: 2 })
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body).toMatchObject({ link: { id: first.id } })
    expect((await staff.delete(path, { version: 1 })).status).toBe(204)
    expectRefusal(await staff.get(path), 404, 'not_found')
    expect((await manager.delete(`${PATH}${second.id}/`, { version: 1 })).status).toBe(204)
  })
})
