import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { Image, ImageList, MaterialTags } from '#shared/api/materials.ts'
import { folderOf, insertBlobs, insertImage } from '#server/files/testing/materials.ts'
import { drawn, plain } from '#server/files/testing/pictures.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { download, upload } from '#server/resources/materials/testing/uploads.ts'

const PATH = '/api/image/'
const api = await testApi()
const { db } = api
const staff = await api.signedIn('staff', { full_name: 'Sam Staff' })
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager')
const director = await api.signedIn('director')
const client = await api.client()
const aurora = await api.advertiser('Aurora', [staff.user.id, colleague.user.id])
const borealis = await api.advertiser('Borealis', [colleague.user.id])

const one = (response: { body: unknown }) => Image.parse(response.body)
let next = 0
/** A picture that nobody has uploaded. */
const fresh = (width = 60, height = 40) =>
  sharp({ create: { width, height, channels: 3, background: { r: ++next % 256, g: next >> 8, b: 99 } } })
    .png()
    .toBuffer()
async function made(
  who: Client,
  facts: { advertiser?: number; name?: string; tags?: string[] } = {},
  bytes?: Buffer,
) {
  const response = await upload(who, { path: PATH, bytes: bytes ?? (await fresh()), ...facts })
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return one(response)
}
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const trail = async (object_id: number) =>
  (
    await db
      .selectFrom('audit')
      .select(['action', 'actor', 'detail'])
      .where('object', '=', 'image')
      .where('object_id', '=', String(object_id))
      .orderBy('id')
      .execute()
  ).map(({ action, actor, detail }) => ({ action, actor, detail }))
async function linkWith(image: number, advertiser: number) {
  await db
    .insertInto('link')
    .values({
      advertiser,
      image,
      name: 'Autumn',
      landing_url: 'https://shop.aurora.demo/',
      utm_source: 'facebook',
      utm_medium: 'paid_social',
      utm_campaign: 'autumn',
      link: 'https://shop.aurora.demo/?utm_source=facebook',
      ga4_channel: 'Paid Social',
    })
    .execute()
}

describe('an uploaded image', () => {
  it('is read, stored and shown with its previews', async () => {
    const bytes = await drawn(1200, 628).png().toBuffer()
    const image = await made(staff, { advertiser: aurora, tags: ['autumn', '秋季', 'autumn'] }, bytes)
    expect(image).toMatchObject({
      name: 'banner.png',
      advertiser: aurora,
      advertiser_name: 'Aurora',
      tags: ['autumn', '秋季'],
      mime: 'image/png',
      size: bytes.length,
      sha256: sha256Of(bytes),
      width: 1200,
      height: 628,
      is_animated: false,
      formats: ['google_landscape', 'line_card', 'ly'],
      in_use: 0,
      uploaded_by: staff.user.id,
      uploaded_by_name: 'Sam Staff',
      may_delete: true,
      version: 1,
    })
    expect(one(await staff.get(`${PATH}${image.id}/`))).toEqual(image)
    const served = await download(api.origin, image.url)
    expect(served.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/png',
      etag: `"${image.sha256}"`,
      'content-disposition': expect.stringMatching(/^inline; filename="banner.png"/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/; sandbox$/),
    })
    for (const [url, width, height] of [
      [image.previews[320], 320, 167],
      [image.previews[1280], 1200, 628],
    ] as const) {
      const preview = await download(api.origin, url)
      expect(preview.headers.get('content-type')).toBe('image/webp')
      expect(preview.headers.get('content-disposition')).toMatch(/filename="banner.webp"/)
      expect(await sharp(preview.bytes).metadata()).toMatchObject({ format: 'webp', width, height })
    }
    const range = await download(api.origin, image.url, { range: 'bytes=0-99' })
    expect([range.status, range.bytes.equals(bytes.subarray(0, 100))]).toEqual([206, true])
    expect((await download(api.origin, image.url, { range: `bytes=${bytes.length}-` })).status).toBe(416)
    expect(await trail(image.id)).toEqual([
      {
        action: 'image.upload',
        actor: staff.user.id,
        detail: {
          name: 'banner.png',
          advertiser: aurora,
          tags: 2,
          mime: 'image/png',
          size: bytes.length,
          width: 1200,
          height: 628,
        },
      },
    ])
  })

  it('loses where it was taken', async () => {
    const bytes = await drawn(400, 300)
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '25/1 2/1 3/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const response = await upload(staff, { path: PATH, bytes, file_name: 'IMG_1.JPG' })
    const image = one(response)
    expect(image).toMatchObject({ name: 'IMG_1.JPG', mime: 'image/jpeg', width: 300, height: 400 })
    const served = await download(api.origin, image.url)
    expect((await sharp(served.bytes).metadata()).exif).toBeUndefined()
    expect(sha256Of(served.bytes)).toBe(image.sha256)
    expect(image.sha256).not.toBe(sha256Of(bytes))
    // By what was uploaded it is still known.
    expect(await upload(staff, { path: PATH, bytes })).toMatchObject({ status: 200, body: { id: image.id } })
  })

  it.each([
    ['../../etc/x.png', 'x.png'],
    ['C:\\x\\banner.exe', 'banner.png'],
    ['banner.png.html', 'banner.png'],
    ['\u202egnp.banner', 'gnp.banner.png'],
    ['', 'image.png'],
    ['秋季.PNG', '秋季.PNG'],
  ])('called %j is called %j', async (file_name, name) => {
    expect(await upload(staff, { path: PATH, bytes: await fresh(), file_name })).toMatchObject({
      body: { name },
    })
  })

  it('has the name that it is given, and the ending of its kind', async () => {
    const bytes = await plain(9, 9).jpeg().toBuffer()
    expect(await made(staff, { name: '../Autumn 1.2' }, bytes)).toMatchObject({ name: 'Autumn 1.2.jpg' })
    const surplus = await upload(staff, { path: PATH, bytes: await fresh(), name: 'a\u202eb' })
    expectRefusal(surplus, 400, 'invalid', { name: ['field_characters'] })
    for (const [tags, code] of [
      [Array.from({ length: 21 }, (_, n) => String(n)), 'field_too_many'],
      [['x'.repeat(41)], 'field_too_long'],
    ] as const)
      expect(await upload(staff, { path: PATH, bytes, tags: [...tags] })).toMatchObject({
        status: 400,
        body: { codes: { [code === 'field_too_many' ? 'tags' : 'tags.0']: [code] } },
      })
  })

  it('is refused when it is no picture, damaged, empty or too large', async () => {
    const refused = async (bytes: Uint8Array | string) => {
      const { status, body } = await upload(staff, { path: PATH, bytes })
      return [status, (body as { codes?: { file?: string[] } }).codes?.file?.[0]]
    }
    expect(await refused('')).toEqual([400, 'file_empty'])
    expect(await refused('a text called x.png')).toEqual([400, 'image_type'])
    const jpeg = await drawn(300, 200).jpeg().toBuffer()
    expect(await refused(jpeg.subarray(0, jpeg.length / 2))).toEqual([400, 'image_damaged'])
    expect(await refused(await plain(8500, 6000).png().toBuffer())).toEqual([400, 'image_too_large'])
    expect(await refused(Buffer.concat([jpeg, Buffer.alloc(5 * 1024 * 1024)]))).toEqual([
      400,
      'image_too_large',
    ])
  })
})

describe('the same image again', () => {
  it('is the row that is there, for the same advertiser', async () => {
    const bytes = await fresh()
    const image = await made(staff, { advertiser: aurora }, bytes)
    const again = await upload(colleague, { path: PATH, bytes, advertiser: aurora, name: 'Other' })
    expect(again).toMatchObject({ status: 200, body: { id: image.id, name: 'banner.png', duplicate: true } })
    expect(one(await staff.get(`${PATH}${image.id}/`)).duplicate).toBeUndefined()
    expect(await trail(image.id)).toHaveLength(1)
  })

  it('is a row of its own for another advertiser and for the agency, on the same content', async () => {
    const bytes = await fresh()
    const rows = [
      await made(staff, { advertiser: aurora }, bytes),
      await made(colleague, { advertiser: borealis }, bytes),
      await made(staff, {}, bytes),
    ]
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3)
    expect(new Set(rows.map(({ sha256 }) => sha256)).size).toBe(1)
    const blobs = await db.selectFrom('blob').select('sha256').where('sha256', '=', sha256Of(bytes)).execute()
    expect(blobs).toHaveLength(1)
  })

  it('mends what the storage has lost of it, also where it was encoded in another way', async () => {
    const bytes = await drawn(500, 300).png().toBuffer()
    const image = await made(staff, { advertiser: aurora }, bytes)
    const again = () => upload(staff, { path: PATH, bytes, advertiser: aurora })
    for (const lost of [
      await db.selectFrom('image').select('preview_320').where('id', '=', image.id).executeTakeFirstOrThrow(),
      image,
    ])
      await api.effects.files.store.remove('preview_320' in lost ? lost.preview_320 : lost.sha256)
    expect(await again()).toMatchObject({ status: 200, body: { id: image.id, version: 1, duplicate: true } })
    expect((await download(api.origin, image.url)).bytes.equals(bytes)).toBe(true)
    expect((await download(api.origin, image.previews[320])).status).toBe(200)

    const [sha256 = ''] = await insertBlobs(db, 1)
    await db.updateTable('image').set({ sha256, size: 1 }).where('id', '=', image.id).execute()
    expect((await download(api.origin, image.url)).status).toBe(410)
    const { sha256: found, size } = image
    expect(await again()).toMatchObject({
      status: 200,
      body: { id: image.id, version: 2, sha256: found, size },
    })
    expect((await download(api.origin, image.url)).bytes.equals(bytes)).toBe(true)
  })

  it('is one row when it is uploaded many times at once', async () => {
    const bytes = await fresh()
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => upload(staff, { path: PATH, bytes, advertiser: aurora })),
    )
    expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array<number>(7).fill(200), 201])
    expect(new Set(responses.map(response => one(response).id)).size).toBe(1)
  })
})

describe('who sees images', () => {
  it('is whoever has the advertiser, and of the agency’s own every employee', async () => {
    const own = await made(colleague, { advertiser: borealis })
    const shared = await made(director)
    const path = `${PATH}${own.id}/`
    expectRefusal(await staff.get(path), 404, 'not_found')
    expectRefusal(await staff.patch(path, { version: 1, name: 'x' }), 404, 'not_found')
    expectRefusal(await staff.delete(path, { version: 1 }), 404, 'not_found')
    expectRefusal(await staff.post(`${path}fit/`, { format: 'google_square' }), 404, 'not_found')
    expect((await director.get(path)).status).toBe(200)
    expect((await staff.get(`${PATH}${shared.id}/`)).status).toBe(200)
    const ids = ImageList.parse((await staff.get(`${PATH}?limit=100`)).body).results.map(({ id }) => id)
    expect([ids.includes(own.id), ids.includes(shared.id)]).toEqual([false, true])
    const foreign = await upload(staff, { path: PATH, bytes: await fresh(), advertiser: borealis })
    expectRefusal(foreign, 400, 'invalid', { advertiser: ['field_not_available'] })
  })

  it('is no client', async () => {
    for (const response of [
      await client.get(PATH),
      await client.get(`${PATH}1/`),
      await client.get(`${PATH}tags/`),
      await client.patch(`${PATH}1/`, { version: 1 }),
      await client.delete(`${PATH}1/`, { version: 1 }),
      await client.post(`${PATH}1/fit/`, { format: 'ly' }),
      await upload(client, { path: PATH, bytes: await fresh(), advertiser: client.advertiser }),
    ])
      expectRefusal(response, 403, 'forbidden')
  })
})

describe('a link to an image', () => {
  it('is good without a token until it ends, for that image and size alone', async () => {
    const image = await made(staff, { advertiser: aurora })
    const other = await made(staff, { advertiser: aurora })
    const { searchParams } = new URL(image.url, api.origin)
    const signature = searchParams.get('signature') ?? ''
    for (const url of [
      image.url.replace(`/${image.id}/`, `/${other.id}/`),
      image.url.replace('?', '?size=320&'),
      image.url.replace(signature, signature.slice(1)),
      image.url.replace(/expires=\d+/, 'expires=99999999999'),
      image.url.replace('/image/', '/file/'),
    ])
      expect([url, (await download(api.origin, url)).status]).toEqual([url, 404])
    const before = api.clock.now
    api.clock.now = new Date(before.getTime() + 21 * 60_000)
    try {
      expect((await download(api.origin, image.url)).status).toBe(404)
    } finally {
      api.clock.now = before
    }
    expect((await download(api.origin, image.url)).status).toBe(200)
  })

  it('ends with the image', async () => {
    const image = await made(staff, { advertiser: aurora })
    expect((await staff.delete(`${PATH}${image.id}/`, { version: 1 })).status).toBe(204)
    for (const url of [image.url, image.previews[320], image.previews[1280]])
      expect((await download(api.origin, url)).status).toBe(404)
  })
})

describe('changing an image', () => {
  it('changes its name and tags, keeps its ending, and leaves a line', async () => {
    const image = await made(staff, { advertiser: aurora, tags: ['a'] })
    const path = `${PATH}${image.id}/`
    const changed = one(await colleague.patch(path, { version: 1, name: 'Autumn', tags: ['b', 'b'] }))
    expect(changed).toMatchObject({ name: 'Autumn.png', tags: ['b'], version: 2, may_delete: false })
    const conflict = await staff.patch(path, { version: 1, name: 'Late' })
    expectRefusal(conflict, 409, 'conflict')
    expect(conflict.body).toMatchObject({ image: { id: image.id, name: 'Autumn.png', version: 2 } })
    expect((await trail(image.id))[1]).toEqual({
      action: 'image.change',
      actor: colleague.user.id,
      detail: {
        name: 'banner.png',
        changes: {
          name: { from: 'banner.png', to: 'Autumn.png' },
          tags: { from: 1, to: 1 },
        },
      },
    })
  })
})

describe('deleting an image', () => {
  it('is for who has uploaded it, or a manager, while no link has it', async () => {
    const image = await made(staff)
    const path = `${PATH}${image.id}/`
    expectRefusal(await colleague.delete(path, { version: 1 }), 403, 'forbidden')
    await linkWith(image.id, aurora)
    expect(one(await staff.get(path)).in_use).toBe(1)
    const refused = await manager.delete(path, { version: 1 })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { links: 1 } })
    await db.deleteFrom('link').where('image', '=', image.id).execute()
    expectRefusal(await manager.delete(path, { version: 2 }), 409, 'conflict')
    expect((await manager.delete(path, { version: 1 })).status).toBe(204)
    expectRefusal(await staff.get(path), 404, 'not_found')
    expect((await trail(image.id)).at(-1)).toMatchObject({ action: 'image.delete', actor: manager.user.id })
  })
})

describe('the list of images', () => {
  it('is filtered by advertiser, the formats that it meets, tag, use and name, and exported', async () => {
    const lister = await api.signedIn('staff')
    const cedar = await api.advertiser('Cedar', [lister.user.id])
    const card = await made(
      lister,
      { advertiser: cedar, name: 'Card 100%', tags: ['cedar-only'] },
      await plain(1200, 628).png().toBuffer(),
    )
    const square = await made(
      lister,
      { advertiser: cedar, name: 'Square' },
      await plain(1080, 1080).png().toBuffer(),
    )
    await linkWith(square.id, cedar)
    const names = async (query: string) =>
      ImageList.parse((await lister.get(`${PATH}?ordering=name&limit=100&${query}`)).body).results.flatMap(
        ({ name, advertiser }) => (advertiser === cedar ? [name] : []),
      )
    const both = ['Card 100%.png', 'Square.png']
    expect(await names(`advertiser=${cedar}`)).toEqual(both)
    expect(await names('is_agency=false')).toEqual(both)
    expect(await names('is_agency=true')).toEqual([])
    expect(await names('meets=line_card')).toEqual(['Card 100%.png'])
    expect(await names('meets=line_square')).toEqual(['Square.png'])
    expect(await names('tag=cedar-only')).toEqual(['Card 100%.png'])
    expect(await names(`is_used=true`)).toEqual(['Square.png'])
    expect(await names(`is_used=false&advertiser=${cedar}`)).toEqual(['Card 100%.png'])
    expect(await names('search=100%25')).toEqual(['Card 100%.png'])
    for (const ordering of ['id', '-id', 'advertiser', '-size', 'last_modified_at', '-width', '-name'])
      expect((await lister.get(`${PATH}?ordering=${ordering}&advertiser=${cedar}`)).body).toMatchObject({
        count: 2,
      })
    expect(MaterialTags.parse((await lister.get(`${PATH}tags/`)).body)).toContainEqual({
      tag: 'cedar-only',
      count: 1,
    })
    expect(MaterialTags.parse((await staff.get(`${PATH}tags/`)).body).map(({ tag }) => tag)).not.toContain(
      'cedar-only',
    )
    const csv = await lister.get(`${PATH}?format=csv&advertiser=${cedar}&ordering=name`)
    expect(String(csv.body).split('\r\n')[1]).toMatch(/^Card 100%.png,Cedar,cedar-only,image\/png,\d+,0,/)
    expect(card.id).toBeLessThan(square.id)
  })
})

describe('making an image fit', () => {
  it('makes a copy, once, that has its advertiser and tags', async () => {
    const image = await made(
      staff,
      { advertiser: aurora, name: 'Wide', tags: ['autumn'] },
      await drawn(1500, 900).jpeg().toBuffer(),
    )
    const path = `${PATH}${image.id}/fit/`
    const response = await colleague.post(path, { format: 'line_card' })
    expect(response.status).toBe(201)
    const copy = one(response)
    expect(copy).toMatchObject({
      name: 'Wide 1200×628.jpg',
      advertiser: aurora,
      tags: ['autumn'],
      width: 1200,
      height: 628,
      uploaded_by: colleague.user.id,
    })
    expect(copy.formats).toContain('line_card')
    expect((await download(api.origin, copy.previews[320])).status).toBe(200)
    expect(await staff.post(path, { format: 'line_card' })).toMatchObject({
      status: 200,
      body: { id: copy.id, duplicate: true },
    })
    await api.effects.files.store.remove(copy.sha256)
    expect(await staff.post(path, { format: 'line_card' })).toMatchObject({ body: { id: copy.id } })
    expect((await download(api.origin, copy.url)).status).toBe(200)
    // It already is one.
    expect(await staff.post(`${PATH}${copy.id}/fit/`, { format: 'line_card' })).toMatchObject({
      status: 200,
      body: { id: copy.id, duplicate: true },
    })
    expectRefusal(await staff.post(path, { format: 'meta_story' }), 400, 'invalid', {
      format: ['image_too_small'],
    })
    expectRefusal(await staff.post(path, { format: 'poster' }), 400, 'invalid', { format: ['field_invalid'] })
  })

  it('says when the storage has lost the image', async () => {
    const [sha256 = '', preview = ''] = await insertBlobs(db, 2)
    const { id } = await insertImage(db, { sha256, preview_320: preview, preview_1280: preview })
    await db.updateTable('image').set({ width: 900, height: 900 }).where('id', '=', id).execute()
    expectRefusal(await staff.post(`${PATH}${id}/fit/`, { format: 'google_landscape' }), 410, 'file_lost')
  })
})

it('leaves no temporary file, whatever became of it', async () => {
  expect(readdirSync(await folderOf(api.effects.files.temporary))).toEqual([])
})
