import { describe, expect, it } from 'vitest'
import { Link, LinkPreset, LinkPresetList } from '#shared/api/links.ts'
import { problemsOfPreset } from '#shared/links/presets.ts'
import { somebodyWaits } from '#server/db/testing/somebody-waits.ts'
import { expectAlike } from '#server/http/testing/answers.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'
import { deleteAdvertiser } from '#server/resources/advertisers/queries.ts'
import { materials } from './testing/materials.ts'

const api = await testApi()
const staff = await api.signedIn('staff')
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager', { department: 2 })
const client = await api.client()
const aurora = await api.advertiser('Aurora', [staff.user.id, colleague.user.id, manager.user.id])
const cedar = await api.advertiser('Cedar', [manager.user.id])

const PATH = '/api/ad/preset/'
const one = ({ body }: ApiResponse) => LinkPreset.parse(body)
const listed = ({ body }: ApiResponse) => LinkPresetList.parse(body).results
let made = 0
const make = async (facts: object = {}, by = staff) =>
  one(await by.post(PATH, { advertiser: aurora, name: `Preset ${(made += 1)}`, ...facts }))
const linkBy = async (preset: number, facts: object) =>
  Link.parse(
    (
      await staff.post('/api/ad/', {
        advertiser: aurora,
        preset,
        landing_url: 'https://shop.aurora.demo/autumn',
        ...facts,
      })
    ).body,
  )

describe('the presets of a new installation', () => {
  it.each([
    [
      'Meta Ads',
      {},
      'utm_source=facebook&utm_medium=paid_social&utm_campaign={{campaign.name}}&utm_content={{ad.id}}&utm_source_platform=Meta%20Ads',
      'Paid Social',
      [],
    ],
    [
      'Google Ads',
      { utm_campaign: '秋季 特賣' },
      'utm_source=google&utm_medium=cpc&utm_campaign=%E7%A7%8B%E5%AD%A3%20%E7%89%B9%E8%B3%A3&utm_term={keyword}',
      'Paid Search',
      ['spaces', 'auto_tagging'],
    ],
    [
      'TikTok Ads',
      {},
      'utm_source=tiktok&utm_medium=paid_social&utm_campaign=__CAMPAIGN_NAME__&utm_content=__CID__&utm_source_platform=TikTok%20Ads',
      'Paid Social',
      [],
    ],
    [
      'LINE Ads',
      { utm_campaign: 'autumn' },
      'utm_source=line&utm_medium=paid_social&utm_campaign=autumn&utm_source_platform=LINE%20Ads',
      'Paid Social',
      [],
    ],
    [
      'Newsletter',
      { utm_campaign: 'autumn' },
      'utm_source=newsletter&utm_medium=email&utm_campaign=autumn',
      'Email',
      [],
    ],
    [
      'Print QR',
      { utm_campaign: 'autumn', utm_source: 'poster' },
      'utm_source=poster&utm_medium=qr&utm_campaign=autumn',
      'Unassigned',
      ['channel_unassigned'],
    ],
  ])('%s makes links', async (name, facts, query, channel, warnings) => {
    const [preset] = listed(await staff.get(`${PATH}?search=${encodeURIComponent(name)}`))
    expect(problemsOfPreset(LinkPreset.parse(preset))).toEqual({})
    const link = await linkBy(preset?.id ?? 0, facts)
    expect(link.link).toBe(`https://shop.aurora.demo/autumn?${query}`)
    expect(link.ga4_channel).toBe(channel)
    expect(link.warnings.map(({ code }) => code)).toEqual(warnings)
    expect(preset).toMatchObject({ advertiser: null, may_change: false, may_delete: false })
  })

  it('are six', async () => {
    expect(await api.db.selectFrom('link_preset').select('name').execute()).toHaveLength(6)
  })
})

describe('presets', () => {
  it('are the agency’s and those of one’s advertisers', async () => {
    const mine = await make({ name: 'Findable one' })
    const theirs = await make({ name: 'Findable two', advertiser: cedar, platform: 'line' }, manager)
    const found = async (who: typeof staff, query: string) =>
      listed(await who.get(`${PATH}?search=findable&${query}`)).map(({ name }) => name)
    expect(await found(staff, '')).toEqual(['Findable one'])
    expect(await found(manager, 'ordering=-name')).toEqual(['Findable two', 'Findable one'])
    expect(await found(manager, `advertiser=${cedar}`)).toEqual(['Findable two'])
    expect(await found(manager, 'platform=line')).toEqual(['Findable two'])
    const all = listed(await staff.get(`${PATH}?advertiser=${aurora}&limit=100&ordering=id`))
    expect(all.map(({ advertiser }) => advertiser)).toEqual([null, null, null, null, null, null, aurora])
    expectRefusal(await staff.get(`${PATH}${theirs.id}/`), 404, 'not_found')
    expectRefusal(await staff.patch(`${PATH}${theirs.id}/`, { version: 1, name: 'x' }), 404, 'not_found')
    expectRefusal(await staff.delete(`${PATH}${theirs.id}/`, { version: 1 }), 404, 'not_found')
    expectRefusal(await client.get(PATH), 403, 'forbidden')
    expectRefusal(await client.get(`${PATH}${mine.id}/`), 403, 'forbidden')
    expect(one(await colleague.get(`${PATH}${mine.id}/`))).toMatchObject({
      may_change: true,
      may_delete: false,
    })
  })

  it('of an advertiser are made by who serves it, those of the agency by managers', async () => {
    const create = (who: typeof staff, advertiser: number | null) =>
      who.post(PATH, { advertiser, name: `Preset ${(made += 1)}` })
    expectRefusal(await create(staff, null), 403, 'forbidden')
    expectRefusal(await create(staff, cedar), 400, 'invalid', { advertiser: ['field_not_available'] })
    const agency = one(await create(manager, null))
    expect(agency).toMatchObject({ advertiser: null, advertiser_name: null, may_change: true })
    const path = `${PATH}${agency.id}/`
    expect(one(await staff.get(path))).toMatchObject({ may_change: false, may_delete: false })
    expectRefusal(await staff.patch(path, { version: 1, name: 'x' }), 403, 'forbidden')
    expectRefusal(await staff.delete(path, { version: 1 }), 403, 'forbidden')
    expect(one(await manager.patch(path, { version: 1, platform: 'meta' })).platform).toBe('meta')
    expect((await manager.delete(path, { version: 2 })).status).toBe(204)
  })

  it('wait for the deletion of their advertiser, which is not available then', async () => {
    const gone = await api.advertiser('Gone', [staff.user.id])
    const removing = await api.db.startTransaction().execute()
    await deleteAdvertiser(removing, gone)
    const making = staff.post(PATH, { advertiser: gone, name: 'Late' })
    await somebodyWaits(api.db)
    await removing.commit().execute()
    expectRefusal(await making, 400, 'invalid', { advertiser: ['field_not_available'] })
  })

  it('keep what makes links, and are changed by one of two', async () => {
    const facts = {
      platform: 'tiktok',
      values: { utm_source: 'tiktok', utm_content: '__CID__' },
      locked: ['utm_source'],
      allowed: { utm_medium: ['paid_social', 'display'] },
    }
    const preset = await make({ ...facts, values: { ...facts.values, utm_id: ' ' } })
    expect(preset).toMatchObject({ ...facts, version: 1, advertiser_name: 'Aurora' })
    const change = (body: object) => staff.patch(`${PATH}${preset.id}/`, body)
    expect(one(await change({ version: 1, allowed: {}, name: 'Changed' }))).toMatchObject({
      ...facts,
      name: 'Changed',
      allowed: {},
    })
    const refused = await change({ version: 1, name: 'Again' })
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body).toMatchObject({ preset: { version: 2, name: 'Changed' } })
    expectRefusal(await change({ version: 2, platform: null }), 400, 'invalid', {
      'values.utm_content': ['placeholder_unknown'],
    })
    expectRefusal(await change({ version: 2, allowed: { utm_source: ['line'] } }), 400, 'invalid', {
      'values.utm_source': ['value_not_allowed'],
    })
    expectRefusal(await staff.post(PATH, { advertiser: aurora, name: 'CHANGED' }), 400, 'invalid', {
      name: ['name_taken'],
    })
    expect((await manager.post(PATH, { advertiser: cedar, name: 'Changed' })).status).toBe(201)
  })

  it('are exported', async () => {
    const rules = { locked: ['utm_id', 'utm_source'], allowed: { utm_medium: ['m', 'n'] } }
    await make({ ...rules, name: '=Exported', platform: 'meta', values: { utm_source: 's', utm_id: 'i' } })
    const { body } = await staff.get(`${PATH}?format=csv&search=exported`)
    const [header = '', line] = String(body).split('\r\n')
    expect(header).toContain('Advertiser,Name,Ad platform,Values,Fixed fields,Allowed values,Created by')
    expect(line).toContain(
      `Aurora,'=Exported,Meta,"utm_source=s\nutm_id=i","utm_source\nutm_id","utm_medium=m, n",`,
    )
  })

  it('of another advertiser make no links, and say nothing of what is in them', async () => {
    const values = { utm_source: 'secret', utm_medium: 'm', utm_campaign: '{{ad.id}}', utm_id: 'x' }
    const rules = { platform: 'meta', values, locked: ['utm_id'], allowed: { utm_medium: ['m'] } }
    const theirs = await make({ ...rules, advertiser: cedar }, manager)
    const link = await linkBy((await make()).id, { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c' })
    const { site, image } = materials(api.db)
    const foreign = { preset: theirs.id, site: await site(cedar), image: await image(cedar) }
    const missing = { preset: 999_999_999, site: 999_999_999, image: 999_999_999 }
    const changes = [{}, { utm_id: 'y' }, { utm_medium: 'n' }, { utm_source: '' }, values]
    for (const body of [aurora, cedar].flatMap(advertiser =>
      changes.map(more => ({ ...more, advertiser, landing_url: 'https://a.demo/' })),
    ))
      for (const send of [
        (ids: object) => staff.post('/api/ad/', { ...body, ...ids }),
        (ids: object) => staff.post('/api/ad/bulk/?dry_run=true', { rows: [{ ...body, ...ids }] }),
        ({ preset }: typeof foreign) => staff.post('/api/ad/bulk/?dry_run=true', { preset, rows: [body] }),
        (ids: object) => staff.patch(`/api/ad/${link.id}/`, { ...body, ...ids, version: 1 }),
      ]) {
        const refused = await send(foreign)
        expectAlike(refused, await send(missing))
        expect(JSON.stringify(refused.body)).toMatch(/field_not_available|field_unknown/)
      }
  })

  it('are deleted by their maker or a manager, and their links stay', async () => {
    const preset = await make({ values: { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c' } })
    const link = await linkBy(preset.id, {})
    expectRefusal(await colleague.delete(`${PATH}${preset.id}/`, { version: 1 }), 403, 'forbidden')
    expect((await staff.delete(`${PATH}${preset.id}/`, { version: 1 })).status).toBe(204)
    expect(Link.parse((await staff.get(`/api/ad/${link.id}/`)).body)).toMatchObject({
      preset: null,
      link: link.link,
      version: 1,
    })
  })
})
