import { describe, expect, it } from 'vitest'
import { BulkLinksReply, LinkList } from '#shared/api/links.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

const api = await testApi()
const staff = await api.signedIn('staff')
const client = await api.client()
let made = 0
/** Each test has an advertiser of its own. */
const advertiserOf = () => api.advertiser(`Advertiser ${(made += 1)}`, [staff.user.id])
const other = await api.advertiser('Other')

const BULK = '/api/ad/bulk/'
const row = (advertiser: number, changes: object = {}) => ({
  advertiser,
  landing_url: 'https://shop.aurora.demo/autumn',
  utm_source: 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: 'autumn_2026',
  ...changes,
})
/** 3 sources × 4 contents. */
const twelve = (advertiser: number) =>
  ['facebook', 'instagram', 'line'].flatMap(utm_source =>
    ['a', 'b', 'c', 'd'].map(utm_content => row(advertiser, { utm_source, utm_content })),
  )
const counted = ({ status, body }: ApiResponse) => ({ status, ...BulkLinksReply.parse(body) })
const linksOf = async (advertiser: number) =>
  LinkList.parse((await staff.get(`/api/ad/?advertiser=${advertiser}&limit=100&ordering=id`)).body)

describe('links in bulk', () => {
  it('are made once', async () => {
    const advertiser = await advertiserOf()
    const body = { rows: twelve(advertiser) }
    const first = { status: 200, create: 12, same: 0, problems: [] }
    expect(counted(await staff.post(`${BULK}?dry_run=true`, body))).toEqual(first)
    expect((await linksOf(advertiser)).count).toBe(0)
    expect(counted(await staff.post(BULK, body))).toEqual(first)
    const { results } = await linksOf(advertiser)
    expect(results.map(({ name, utm_content }) => `${name} ${utm_content}`)).toEqual(
      body.rows.map(
        ({ utm_source, utm_campaign, ...rest }) =>
          `${utm_source} · ${utm_campaign} ${'utm_content' in rest ? rest.utm_content : ''}`,
      ),
    )
    const again = { status: 200, create: 0, same: 12, problems: [] }
    expect(counted(await staff.post(`${BULK}?dry_run=true`, body))).toEqual(again)
    expect(counted(await staff.post(BULK, body))).toEqual(again)
    expect((await linksOf(advertiser)).count).toBe(12)
  })

  it('are made once when two people send them at the same time', async () => {
    const advertiser = await advertiserOf()
    const second = await api.signedIn('director')
    const body = { rows: twelve(advertiser) }
    const replies = await Promise.all([staff, second, staff, second].map(who => who.post(BULK, body)))
    expect(replies.map(reply => counted(reply).create).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 12])
    expect((await linksOf(advertiser)).count).toBe(12)
  })

  it('count what is there twice in the request as the same', async () => {
    const advertiser = await advertiserOf()
    const rows = [
      row(advertiser),
      row(advertiser, { name: 'Another name' }),
      row(advertiser, { utm_id: '1' }),
    ]
    expect(counted(await staff.post(BULK, { rows }))).toMatchObject({ create: 2, same: 1 })
    const second = await advertiserOf()
    const both = [row(advertiser), row(second)]
    expect(counted(await staff.post(BULK, { rows: both }))).toMatchObject({ create: 1, same: 1 })
  })

  it('are none when one has a problem', async () => {
    const advertiser = await advertiserOf()
    const rows = [
      row(advertiser),
      row(advertiser, { utm_content: 'amy@mail.demo', utm_campaign: '' }),
      row(other),
      row(advertiser, { extra: [{ key: 'utm_a', value: '' }], site: 999_999_999 }),
      row(advertiser, { utm_source: 'a\nb', name: 'x'.repeat(121), utm_x: 1 }),
      row(advertiser, { landing_url: '' }),
      'nothing',
    ]
    const outcome = {
      create: 0,
      same: 0,
      problems: [
        { row: 2, field: 'utm_campaign', code: 'field_required' },
        { row: 2, field: 'utm_content', code: 'personal_data' },
        { row: 3, field: 'advertiser', code: 'field_not_available' },
        { row: 4, field: 'extra.0.key', code: 'field_not_available' },
        { row: 4, field: 'site', code: 'field_not_available' },
        { row: 5, field: 'name', code: 'field_too_long' },
        { row: 5, field: 'utm_source', code: 'field_characters' },
        { row: 5, field: 'utm_x', code: 'field_unknown' },
        { row: 6, field: 'landing_url', code: 'field_required' },
        { row: 7, field: 'body', code: 'field_invalid' },
      ],
    }
    expect(counted(await staff.post(`${BULK}?dry_run=true`, { rows }))).toEqual({ status: 200, ...outcome })
    const refused = await staff.post(BULK, { rows })
    expectRefusal(refused, 400, 'invalid')
    expect(refused.body).toMatchObject(outcome)
    expect((await linksOf(advertiser)).count).toBe(0)
  })

  it('follow one preset, except those that name another', async () => {
    const advertiser = await advertiserOf()
    const named = async (name: string) =>
      (await api.db.selectFrom('link_preset').select('id').where('name', '=', name).executeTakeFirstOrThrow())
        .id
    const [preset, tiktok] = [await named('LINE Ads'), await named('TikTok Ads')]
    const rows = [
      { advertiser, landing_url: 'https://a.demo/', utm_campaign: 'x' },
      { advertiser, landing_url: 'https://a.demo/', preset: tiktok },
    ]
    expect(counted(await staff.post(BULK, { preset, rows })).create).toBe(2)
    expect((await linksOf(advertiser)).results.map(({ preset_name, link }) => [preset_name, link])).toEqual([
      [
        'LINE Ads',
        'https://a.demo/?utm_source=line&utm_medium=paid_social&utm_campaign=x&utm_source_platform=LINE%20Ads',
      ],
      [
        'TikTok Ads',
        'https://a.demo/?utm_source=tiktok&utm_medium=paid_social&utm_campaign=__CAMPAIGN_NAME__&utm_content=__CID__&utm_source_platform=TikTok%20Ads',
      ],
    ])
    const locked = await staff.post(`${BULK}?dry_run=true`, { preset, rows: [row(advertiser)] })
    expect(counted(locked).problems).toEqual([{ row: 1, field: 'utm_source', code: 'value_locked' }])
  })

  it('are 500 at most, each as long as a link may be', async () => {
    const advertiser = await advertiserOf()
    const long = row(advertiser, {
      name: '名'.repeat(120),
      landing_url: `https://a.demo/?${'x'.repeat(1000)}`,
      utm_term: '秋'.repeat(80),
      extra: Array.from({ length: 10 }, (_, at) => ({ key: `key${at}`, value: 'v' })),
    })
    const rows = Array.from({ length: 500 }, (_, at) => ({ ...long, utm_id: String(at) }))
    expect(counted(await staff.post(BULK, { rows }))).toMatchObject({ status: 200, create: 500 })
    expect((await linksOf(advertiser)).count).toBe(500)
    expectRefusal(await staff.post(BULK, { rows: [...rows, long] }), 400, 'invalid', {
      rows: ['field_too_many'],
    })
    expectRefusal(await staff.post(BULK, { rows: [] }), 400, 'invalid', { rows: ['field_invalid'] })
    expectRefusal(await client.post(BULK, { rows: [row(client.advertiser)] }), 403, 'forbidden')
  })

  it('are a line of the trail each', async () => {
    const advertiser = await advertiserOf()
    await staff.post(BULK, { rows: twelve(advertiser) })
    const { results } = await linksOf(advertiser)
    const lines = await api.db
      .selectFrom('audit')
      .select(['actor', 'object_id', 'detail'])
      .where('action', '=', 'link.create')
      .where(
        'object_id',
        'in',
        results.map(({ id }) => String(id)),
      )
      .execute()
    expect(lines).toHaveLength(12)
    expect(lines).toContainEqual({
      actor: staff.user.id,
      object_id: String(results[0]?.id),
      detail: {
        name: 'facebook · autumn_2026',
        changes: expect.objectContaining({
          advertiser: { from: null, to: advertiser },
          link: { from: null, to: '…' },
          utm_content: { from: null, to: '…' },
        }),
      },
    })
  })
})
