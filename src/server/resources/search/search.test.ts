import { describe, expect, it } from 'vitest'
import { MOST_OF_KIND, SearchReply } from '#shared/api/search.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'

const api = await testApi()
const boss = await api.signedIn('superuser')
const director = await api.signedIn('director')
const staff = await api.signedIn('staff', { department: 2 })
const finance = await api.signedIn('staff', { department: 7 })
const client = await api.signedIn('external_user')

const own = await api.advertiser('Own customer', [staff.user.id, client.user.id])
const foreign = await api.advertiser('Foreign customer')

await plant(own, 'Comet own')
await plant(foreign, 'Comet foreign')
await plant(null, 'Comet agency')

/** One of everything that an advertiser, or the agency itself, may have. */
async function plant(advertiser: number | null, name: string) {
  const { db } = api
  const sha256 = String(advertiser ?? 0).padStart(64, '0')
  await db.insertInto('blob').values({ sha256, size: 1 }).execute()
  const uploaded = { advertiser, name, sha256, size: 1, uploaded_by: null }
  await db
    .insertInto('image')
    .values({
      ...uploaded,
      mime: 'image/png',
      source_sha256: sha256,
      width: 1,
      height: 1,
      preview_320: sha256,
      preview_1280: sha256,
    })
    .execute()
  await db
    .insertInto('file')
    .values({ ...uploaded, mime: 'application/pdf' })
    .execute()
  if (advertiser === null) {
    await db.insertInto('publisher').values({ name, type: 'news', channel: null }).execute()
    return
  }
  const url = 'https://shop.example/'
  await db.insertInto('site').values({ advertiser, name, url }).execute()
  await db.insertInto('target_audience').values({ advertiser, name, age_min: 18, age_max: 65 }).execute()
  const utm = { utm_source: 'a', utm_medium: 'b', utm_campaign: 'c', ga4_channel: 'Unassigned' as const }
  await db
    .insertInto('link')
    .values({ advertiser, name, landing_url: url, link: url, ...utm })
    .execute()
}

async function found(person: Client, search: string) {
  const { results } = SearchReply.parse(
    (await person.get(`/api/search/?search=${encodeURIComponent(search)}`)).body,
  )
  return results.map(({ kind, name }) => `${kind}: ${name}`)
}

describe('a search by name', () => {
  const agency = ['publishers: Comet agency', 'images: Comet agency', 'files: Comet agency']
  const of = (name: string) =>
    ['target_audiences', 'links', 'sites', 'images', 'files'].map(kind => `${kind}: ${name}`)

  it('finds one’s own and the agency’s, kind by kind', async () => {
    expect(await found(staff, 'comet')).toEqual([
      'target_audiences: Comet own',
      'links: Comet own',
      'sites: Comet own',
      'publishers: Comet agency',
      'images: Comet agency',
      'images: Comet own',
      'files: Comet agency',
      'files: Comet own',
    ])
  })

  it('finds everybody’s for those who may use all advertisers', async () => {
    const all = [...of('Comet own'), ...of('Comet foreign'), ...agency].toSorted()
    for (const person of [boss, director]) expect((await found(person, 'comet')).toSorted()).toEqual(all)
  })

  it('finds all customers for finance, but no more of what is theirs', async () => {
    expect(await found(finance, 'comet')).toEqual(agency)
    expect(await found(finance, 'customer')).toEqual([
      'advertisers: Foreign customer',
      'advertisers: Own customer',
    ])
    expect(await found(staff, 'customer')).toEqual(['advertisers: Own customer'])
  })

  it('says whose each is', async () => {
    const { body } = await staff.get('/api/search/?search=comet')
    const owners = SearchReply.parse(body).results.map(({ advertiser_name }) => advertiser_name)
    expect(new Set(owners)).toEqual(new Set(['Own customer', null]))
  })

  it('has those first that begin with it, and only a few of each kind', async () => {
    const names = ['A nova', 'B nova', 'C nova', 'D nova', 'E nova', 'Nova'].map(name => ({
      name,
      type: 'news' as const,
      channel: null,
    }))
    await api.db.insertInto('publisher').values(names).execute()
    const publishers = await found(staff, 'nova')
    expect(publishers).toHaveLength(MOST_OF_KIND)
    expect(publishers.slice(0, 2)).toEqual(['publishers: Nova', 'publishers: A nova'])
  })

  it('takes wildcards as what they are, and no empty text', async () => {
    expect(await found(staff, 'com_t')).toEqual([])
    expect(await found(staff, '%')).toEqual([])
    expectRefusal(await staff.get('/api/search/?search=%20'), 400, 'invalid', {
      search: ['field_required'],
    })
  })

  it('is not for clients', async () => {
    expectRefusal(await client.get('/api/search/?search=comet'), 403, 'forbidden')
  })
})
