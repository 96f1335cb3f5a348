import { createHash, randomBytes } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { describe, expect, it, vi } from 'vitest'
import { File, FileList, MaterialTags } from '#shared/api/materials.ts'
import { somebodyWaits } from '#server/db/testing/somebody-waits.ts'
import { folderOf, insertBlobs, insertFile } from '#server/files/testing/materials.ts'
import { drawn } from '#server/files/testing/pictures.ts'
import { createRequestLimits, queueLimits } from '#server/http/request-limits.ts'
import { expectRefusal, testApi, type Client } from '#server/http/testing/api.ts'
import { deleteAdvertiser } from '#server/resources/advertisers/queries.ts'
import { download, upload } from '#server/resources/materials/testing/uploads.ts'

const PATH = '/api/file/'
const GIB = 1024 ** 3
/** What the scanner of these tests says; and what it was asked about. */
const scanner = { verdict: null as Awaited<ReturnType<typeof api.effects.files.scan>>, scanned: 0 }
const plainApi = await testApi()
const api = await testApi({
  effects: {
    files: {
      ...plainApi.effects.files,
      scan: async () => {
        scanner.scanned += 1
        return scanner.verdict
      },
    },
  },
})
const { db } = api
const staff = await api.signedIn('staff', { full_name: 'Sam Staff' })
const colleague = await api.signedIn('staff')
const manager = await api.signedIn('manager')
const client = await api.client()
const aurora = await api.advertiser('Aurora', [staff.user.id, colleague.user.id])
const borealis = await api.advertiser('Borealis', [colleague.user.id])

const one = (response: { body: unknown }) => File.parse(response.body)
const pdf = () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(500)])
const send = (who: Client, facts: Partial<Parameters<typeof upload>[1]> = {}) =>
  upload(who, { path: PATH, bytes: pdf(), file_name: 'plan.pdf', type: 'text/html', ...facts })
async function made(who: Client, facts: Partial<Parameters<typeof upload>[1]> = {}) {
  const response = await send(who, facts)
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return one(response)
}

describe('an uploaded file', () => {
  it('is refused when its advertiser is deleted while it arrives', async () => {
    const gone = await api.advertiser('Gone', [staff.user.id])
    const removing = await db.startTransaction().execute()
    await deleteAdvertiser(removing, gone)
    const making = send(staff, { advertiser: gone })
    await somebodyWaits(db)
    await removing.commit().execute()
    expectRefusal(await making, 400, 'invalid', { advertiser: ['field_not_available'] })
  })

  it('is stored and served as an attachment, of the type that its content has', async () => {
    const bytes = pdf()
    const file = await made(staff, { bytes, file_name: '../計畫.PDF', advertiser: aurora, tags: ['plan'] })
    expect(file).toMatchObject({
      name: '計畫.PDF',
      advertiser: aurora,
      advertiser_name: 'Aurora',
      tags: ['plan'],
      mime: 'application/pdf',
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      in_use: 0,
      uploaded_by: staff.user.id,
      uploaded_by_name: 'Sam Staff',
      may_delete: true,
    })
    const served = await download(api.origin, file.url)
    expect(served.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringMatching(/^attachment; .*%E8%A8%88%E7%95%AB\.PDF/),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/; sandbox$/),
    })
    const line = await db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('object', '=', 'file')
      .where('object_id', '=', String(file.id))
      .execute()
    expect(line).toEqual([
      {
        action: 'file.upload',
        detail: {
          name: '計畫.PDF',
          advertiser: aurora,
          tags: 1,
          mime: 'application/pdf',
          size: bytes.length,
        },
      },
    ])
  })

  it('is the one that is there when the same comes again, and another one elsewhere', async () => {
    const bytes = pdf()
    const file = await made(staff, { bytes, advertiser: aurora })
    const again = await send(colleague, { bytes, advertiser: aurora, file_name: 'other.pdf' })
    expect(again).toMatchObject({ status: 200, body: { id: file.id, name: 'plan.pdf', duplicate: true } })
    expect((await made(colleague, { bytes, advertiser: borealis })).id).not.toBe(file.id)
  })

  it('that the storage has lost is mended by uploading it again, for every row that has it', async () => {
    const bytes = pdf()
    const files = [
      await made(staff, { bytes, advertiser: aurora }),
      await made(colleague, { bytes, advertiser: borealis }),
    ]
    const [file] = files
    await api.effects.files.store.remove(file?.sha256 ?? '')
    scanner.verdict = 'file_infected'
    expectRefusal(await send(staff, { bytes, advertiser: aurora }), 400, 'invalid', {
      file: ['file_infected'],
    })
    scanner.verdict = null
    expect((await download(api.origin, file?.url ?? '')).status).toBe(410)
    expect(await send(staff, { bytes, advertiser: aurora })).toMatchObject({
      status: 200,
      body: { id: file?.id, version: 1, duplicate: true },
    })
    for (const { url } of files) expect((await download(api.origin, url)).bytes.equals(bytes)).toBe(true)
  })

  it('may be a picture, which stays as it is', async () => {
    const bytes = await drawn(50, 40)
      .withExif({ IFD0: { Make: 'x' } })
      .jpeg()
      .toBuffer()
    const file = await made(staff, { bytes, file_name: 'photo.png' })
    expect(file).toMatchObject({ name: 'photo.jpg', mime: 'image/jpeg', size: bytes.length })
    expect((await download(api.origin, file.url)).headers.get('content-disposition')).toMatch(/^attachment/)
  })

  it('is no program, no script, not empty, and has 50 MB at most', async () => {
    for (const [bytes, code] of [
      [Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(100)]), 'file_type'],
      ['#!/bin/sh\nrm -rf /', 'file_type'],
      ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'file_type'],
      ['', 'file_empty'],
      [new Uint8Array(50 * 1024 * 1024 + 1), 'upload_too_large'],
    ] as const)
      expectRefusal(await send(staff, { bytes }), 400, 'invalid', { file: [code] })
    expectRefusal(await send(staff, { bytes: 'hello', file_name: 'x.js' }), 400, 'invalid', {
      file: ['file_type'],
    })
  })

  it('is stored when the scanner has found it clean, and not before', async () => {
    scanner.verdict = 'file_infected'
    const bytes = pdf()
    expectRefusal(await send(staff, { bytes }), 400, 'invalid', { file: ['file_infected'] })
    scanner.verdict = 'scan_unavailable'
    const refused = await send(staff, { bytes })
    expectRefusal(refused, 503, 'scan_unavailable')
    expect(refused.headers.get('retry-after')).toBe('2')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await api.effects.files.store.find(sha256)).toBeNull()
    scanner.verdict = null
    const before = scanner.scanned
    await made(staff, { bytes })
    expect(scanner.scanned).toBe(before + 1)
  })
})

describe('a virus scanner that is slow', async () => {
  const held: (() => void)[] = []
  const scan = () => new Promise<null>(resolve => held.push(() => resolve(null)))
  const narrow = { of_one: 1, of_all: 1, waiting: 1, waiting_of_all: 1 }
  const slow = await testApi({
    most_at_once: 1,
    effects: {
      files: { ...plainApi.effects.files, scan },
      requestLimits: createRequestLimits({
        queues: { ...queueLimits, scan: { ...queueLimits.scan, ...narrow } },
        writes: { per_minute: 1e6, burst: 1e6 },
      }),
    },
  })
  const [first, second, third] = [
    await slow.signedIn('staff'),
    await slow.signedIn('staff'),
    await slow.signedIn('staff'),
  ]
  const folder = await folderOf(plainApi.effects.files.temporary)
  const waiting = async () => (await readdir(folder)).length

  it('holds no slot, lets few wait, and none that have left', async () => {
    const scanning = send(first)
    await expect.poll(() => held.length).toBe(1)
    const left = new AbortController()
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(pdf())]), 'x.pdf')
    const leaving = fetch(slow.origin + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${second.token}` },
      body: form,
      signal: left.signal,
    }).catch(() => null)
    await expect.poll(waiting).toBe(2)
    expectRefusal(await send(third), 503, 'overloaded')
    expect((await third.get(PATH)).status).toBe(200)
    left.abort()
    await leaving
    await expect.poll(waiting).toBe(1)
    const next = send(third)
    await expect.poll(waiting).toBe(2)
    held.shift()?.()
    expect((await scanning).status).toBe(201)
    await expect.poll(() => held.length).toBe(1)
    held.shift()?.()
    expect((await next).status).toBe(201)
  })
})

describe('a disk', () => {
  it.each(['ENOSPC', 'ENOENT'])('that fails with %s is a storage that is away', async code => {
    const folder = await folderOf(plainApi.effects.files.temporary)
    const handle = await open(folder)
    const failure = Object.assign(new Error(code), { code })
    const writing = vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(failure)
    await handle.close()
    try {
      expectRefusal(await send(staff), 503, 'storage_unavailable')
    } finally {
      writing.mockRestore()
    }
    expect((await send(staff)).status).toBe(201)
    expect(await readdir(folder)).toEqual([])
  })
})

describe('the room for files', () => {
  it('ends at the byte, images and files together, and is told', async () => {
    const cedar = await api.advertiser('Cedar', [staff.user.id])
    const [sha256 = ''] = await insertBlobs(db, 1)
    const bytes = pdf()
    await insertFile(db, { sha256, advertiser: cedar, size: 2 * GIB - bytes.length + 1 })
    const usage = async () => (await staff.get(`${PATH}usage/?advertiser=${cedar}`)).body
    expect(await usage()).toEqual({ used: 2 * GIB - bytes.length + 1, allowed: 2 * GIB })
    expectRefusal(await send(staff, { bytes, advertiser: cedar }), 413, 'quota_files')
    expectRefusal(
      await upload(staff, {
        path: '/api/image/',
        bytes: await drawn(300, 200).png().toBuffer(),
        advertiser: cedar,
      }),
      413,
      'quota_files',
    )
    await db
      .updateTable('file')
      .set({ size: 2 * GIB - bytes.length })
      .where('advertiser', '=', cedar)
      .execute()
    await made(staff, { bytes, advertiser: cedar })
    expect(await usage()).toEqual({ used: 2 * GIB, allowed: 2 * GIB })
    expectRefusal(await send(staff, { bytes: 'x', advertiser: cedar }), 413, 'quota_files')
    expect((await staff.get(`${PATH}usage/`)).body).toMatchObject({ allowed: 20 * GIB })
    expectRefusal(await staff.get(`${PATH}usage/?advertiser=${borealis}`), 404, 'not_found')
    expectRefusal(await client.get(`${PATH}usage/?advertiser=${client.advertiser}`), 403, 'forbidden')
  })

  it('takes 300 uploads of a person a day', async () => {
    const busy = await api.signedIn('staff')
    const day = api.clock.now.toISOString().slice(0, 10)
    await db.insertInto('upload_count').values({ user_id: busy.user.id, day, count: 299 }).execute()
    await made(busy)
    const refused = await send(busy)
    expectRefusal(refused, 429, 'too_many_uploads')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await send(staff)).status).toBe(201)
  })
})

describe('who sees files', () => {
  it('is whoever has the advertiser, and of the agency’s own every employee', async () => {
    const own = await made(colleague, { advertiser: borealis, tags: ['borealis-only'] })
    const path = `${PATH}${own.id}/`
    for (const response of [
      await staff.get(path),
      await staff.patch(path, { version: 1, name: 'x' }),
      await staff.delete(path, { version: 1 }),
    ])
      expectRefusal(response, 404, 'not_found')
    const ids = FileList.parse((await staff.get(`${PATH}?limit=100`)).body).results.map(({ id }) => id)
    expect(ids).not.toContain(own.id)
    expect((await staff.get(`${PATH}${(await made(colleague)).id}/`)).status).toBe(200)
    const tags = async (who: Client) =>
      MaterialTags.parse((await who.get(`${PATH}tags/`)).body).map(({ tag }) => tag)
    expect([
      (await tags(staff)).includes('borealis-only'),
      (await tags(colleague)).includes('borealis-only'),
    ]).toEqual([false, true])
    for (const response of [await client.get(PATH), await client.get(path), await send(client)])
      expectRefusal(response, 403, 'forbidden')
  })
})

describe('changing and deleting a file', () => {
  it.each([
    ['../../x.txt', 'x.txt'],
    ['x.txt.', 'x.txt'],
    [`${'x'.repeat(190)}.ending${'y'.repeat(3)}`, `${'x'.repeat(190)}.endingyyy`],
  ])('stores the name %s as %s, from a file, a form and a change', async (said, name) => {
    const text = () => `a text ${randomBytes(8).toString('hex')}`
    expect(await made(staff, { bytes: text(), file_name: said })).toMatchObject({ name })
    const file = await made(staff, { bytes: text(), name: said })
    expect(file).toMatchObject({ name })
    const path = `${PATH}${file.id}/`
    expect(await staff.patch(path, { version: 1, name: said })).toMatchObject({ body: { name } })
    for (const program of ['x.bat.', '../x.bat. '])
      expectRefusal(await staff.patch(path, { version: 2, name: program }), 400, 'invalid', {
        name: ['file_type'],
      })
    expectRefusal(await staff.patch(path, { version: 2, name: '../..' }), 400, 'invalid', {
      name: ['field_required'],
    })
    expectRefusal(await send(staff, { bytes: text(), name: 'x.bat.' }), 400, 'invalid', {
      file: ['file_type'],
    })
    const long = await made(staff, { bytes: text(), file_name: `${'x'.repeat(300)}.txt` })
    expect(long.name).toBe(`${'x'.repeat(196)}.txt`)
  })

  it('keeps the ending of its kind, and takes no name of a program for what is unknown', async () => {
    const file = await made(staff, { advertiser: aurora })
    const path = `${PATH}${file.id}/`
    expect(await staff.patch(path, { version: 1, name: 'plan.exe' })).toMatchObject({
      body: { name: 'plan.pdf' },
    })
    expectRefusal(await staff.patch(path, { version: 1, name: 'x' }), 409, 'conflict')
    const unknown = await made(staff, { bytes: randomBytes(100).fill(0, 0, 9), file_name: 'x.dat' })
    expectRefusal(await staff.patch(`${PATH}${unknown.id}/`, { version: 1, name: 'x.exe' }), 400, 'invalid', {
      name: ['file_type'],
    })
  })

  it('is for who has uploaded it, or a manager, while no link has it', async () => {
    const file = await made(staff)
    const path = `${PATH}${file.id}/`
    expectRefusal(await colleague.delete(path, { version: 1 }), 403, 'forbidden')
    await db
      .insertInto('link')
      .values({
        advertiser: aurora,
        file: file.id,
        name: 'Autumn',
        landing_url: 'https://shop.aurora.demo/',
        utm_source: 'facebook',
        utm_medium: 'paid_social',
        utm_campaign: 'autumn',
        link: 'https://shop.aurora.demo/?utm_source=facebook',
        ga4_channel: 'Paid Social',
      })
      .execute()
    const refused = await manager.delete(path, { version: 1 })
    expectRefusal(refused, 409, 'in_use')
    expect(refused.body).toMatchObject({ by: { links: 1 } })
    expect(FileList.parse((await staff.get(`${PATH}?is_used=true`)).body).results).toMatchObject([
      { id: file.id, in_use: 1 },
    ])
    // A manager of no department sees none of the links of Aurora.
    expect(one(await manager.get(path)).in_use).toBe(0)
    await db.deleteFrom('link').where('file', '=', file.id).execute()
    expect((await manager.delete(path, { version: 1 })).status).toBe(204)
    expect((await download(api.origin, file.url)).status).toBe(404)
  })

  it('is a line of the list and of its export', async () => {
    const file = await made(staff, { advertiser: aurora, name: 'Only one', tags: ['a', 'b'] })
    for (const ordering of ['id', '-name', 'advertiser', '-size', 'last_modified_at', 'mime'])
      expect((await staff.get(`${PATH}?search=Only&ordering=${ordering}`)).body).toMatchObject({
        count: 1,
        results: [{ id: file.id }],
      })
    const csv = await staff.get(`${PATH}?search=Only&format=csv`)
    expect(csv.body).toMatch(/Only one.pdf,Aurora,"a\nb",application\/pdf,509,0,Sam Staff,/)
  })
})
