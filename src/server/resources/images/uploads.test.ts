import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { Image } from '#shared/api/materials.ts'
import { folderOf } from '#server/files/testing/materials.ts'
import {
  animatedPng,
  drawn,
  longGif,
  plain,
  png,
  pngChunk,
  withChunk,
} from '#server/files/testing/pictures.ts'
import { createRequestLimits, queueLimits } from '#server/http/request-limits.ts'
import { testApi, type ApiResponse, type Client } from '#server/http/testing/api.ts'
import { BOUNDARY, LAST, multipart, openSocket, partOf, uploadHead } from '#server/http/testing/multipart.ts'
import { upload } from '#server/resources/materials/testing/uploads.ts'

/** What people upload who mean no good, and more of it at once than there is room for. */

const api = await testApi({
  most_at_once: 80,
  effects: {
    requestLimits: createRequestLimits({ queues: queueLimits, writes: { per_minute: 1e6, burst: 1e6 } }),
  },
})
const { db, pool } = api
const { files } = api.effects
const staff = await api.signedIn('staff')
const aurora = await api.advertiser('Aurora', [staff.user.id])

const folder = await folderOf(files.temporary)
const openHandles = () =>
  readdirSync('/proc/self/fd').filter(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder)
    } catch {
      return false
    }
  })
const expectNothingLeft = async () =>
  await vi.waitFor(() => expect([readdirSync(folder), openHandles()]).toEqual([[], []]), { timeout: 10_000 })

/** Every image and every preview that is stored is what its row says, and nothing else is in it. */
async function expectAllVerified(): Promise<number> {
  const rows = await db
    .selectFrom('image')
    .select(['mime', 'sha256', 'size', 'width', 'height', 'preview_320', 'preview_1280'])
    .execute()
  for (const { mime, sha256, size, width, height, ...previews } of rows) {
    const content = await buffer(await files.store.read(sha256, { start: 0, end: size - 1 }))
    const found = await sharp(content).metadata()
    expect({ mime: `image/${found.format}`, width: found.width, height: found.height }).toEqual({
      mime,
      width,
      height,
    })
    expect(content.toString('latin1')).not.toMatch(/<script|<html|<svg|<\?php|alert\(1\)/)
    expect(await files.pictures.read(content)).toMatchObject({ mime, content })
    for (const preview of Object.values(previews)) {
      const stored = await files.store.find(preview)
      const bytes = await buffer(await files.store.read(preview, { start: 0, end: (stored?.size ?? 1) - 1 }))
      expect((await sharp(bytes).metadata()).format).toBe('webp')
    }
  }
  return rows.length
}

const codeOf = ({ status, body }: ApiResponse) => [
  status,
  (body as { codes?: { file?: string[] } }).codes?.file?.[0],
]
const script = '<script>alert(1)</script>'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)">${script}</svg>`

describe('hostile content', () => {
  it.each<[string, Uint8Array | string, string]>([
    ['a script in an SVG', svg, 'image_type'],
    ['a script in an SVG with a declaration', `<?xml version="1.0"?>${svg}`, 'image_type'],
    ['a compressed SVG', gzipSync(svg), 'image_type'],
    ['a page', `<!doctype html>${script}`, 'image_type'],
    ['a page that begins as a GIF', `GIF89a/*${script}*/=1`, 'image_damaged'],
    [
      'a page that begins as a PNG',
      Buffer.concat([png(1, 1).subarray(0, 8), Buffer.from(script)]),
      'image_damaged',
    ],
    ['an icon', Buffer.from('000001000100101000000100200068040000160000000000', 'hex'), 'image_type'],
    ['an AVIF', Buffer.from('\0\0\0\x20ftypavif\0\0\0\0avifmif1', 'latin1'), 'image_type'],
    ['a program', Buffer.concat([Buffer.from('MZ\x90\0', 'latin1'), randomBytes(500)]), 'image_type'],
    ['NULs', Buffer.alloc(1000), 'image_type'],
    ['50,000 × 50,000 pixels', png(50_000, 50_000), 'image_too_large'],
    ['10,000 pictures', longGif(100, 100, 10_000), 'image_too_large'],
    ['an animation of 51 megapixels', animatedPng(1000, 51), 'image_too_large'],
  ])('is refused: %s', async (_, bytes, code) => {
    for (const [file_name, type] of [
      ['x.png', 'image/png'],
      ['x.png.svg', 'image/svg+xml'],
      ['x.html', 'text/html'],
    ] as const)
      expect(codeOf(await upload(staff, { path: '/api/image/', bytes, file_name, type }))).toEqual([
        400,
        code,
      ])
  })

  it('behind, before or between what is a picture is not stored', async () => {
    const polyglots = [
      withChunk(png(10, 10), pngChunk('tEXt', Buffer.from(`Comment\0${script}`))),
      Buffer.concat([png(11, 10), Buffer.from(`<html>${script}`)]),
      Buffer.concat([await drawn(60, 40).jpeg().toBuffer(), Buffer.from('PK\x03\x04<?php x', 'latin1')]),
      await drawn(60, 41)
        .withExif({ IFD0: { ImageDescription: script } })
        .jpeg()
        .toBuffer(),
      await drawn(60, 42)
        .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${script}</x:xmpmeta>`)
        .webp()
        .toBuffer(),
      Buffer.concat([await drawn(60, 43).gif().toBuffer(), Buffer.from(script)]),
      Buffer.concat([await drawn(60, 44).webp().toBuffer(), Buffer.from(script)]),
    ]
    for (const bytes of polyglots)
      expect(
        (await upload(staff, { path: '/api/image/', bytes, file_name: 'x.html', type: 'text/html' })).status,
      ).toBe(201)
    expect(await expectAllVerified()).toBeGreaterThanOrEqual(polyglots.length)
    await expectNothingLeft()
  })

  it('is never served as something to show, but as an image that was decoded or as an attachment', async () => {
    const image = Image.parse((await upload(staff, { path: '/api/image/', bytes: png(12, 12) })).body)
    const file = Image.pick({ url: true }).parse(
      (await upload(staff, { path: '/api/file/', bytes: 'a text', file_name: 'x.txt', type: 'text/html' }))
        .body,
    )
    for (const [url, how] of [
      [image.url, 'inline'],
      [image.previews[320], 'inline'],
      [file.url, 'attachment'],
    ] as const) {
      const response = await fetch(api.origin + url)
      expect(response.headers.get('content-disposition')).toMatch(new RegExp(`^${how}; `))
      expect(response.headers.get('content-type')).toMatch(/^(image\/(png|webp)|text\/plain)/)
      expect(response.headers.get('content-security-policy')).toMatch(/default-src 'none'.*; sandbox$/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      await response.arrayBuffer()
    }
  })
})

describe('hostile forms', () => {
  const send = async (body: Uint8Array, head = '') => {
    const { write, received, socket } = await openSocket(api.origin)
    await write(uploadHead('/api/image/', staff.token, `content-length: ${body.length}\r\n${head}`))
    await write(body)
    const text = await received(/\r\n\r\n[^]*\}/)
    socket.destroy()
    return Number(text.slice(9, 12))
  }
  const picture = png(20, 20)
  const file = (file_name: string, head = '') => ({ name: 'file', value: picture, file_name, head })

  it.each<[string, string]>([
    ['../../../../etc/passwd.png', 'passwd.png'],
    ['..\\..\\windows\\x.png', 'x.png'],
    ['/etc/x.png', 'x.png'],
    ['x.png\0.html', 'x.png'],
    ['x\0.png', 'x.png'],
    ['x.php.png.exe', 'x.php.png'],
    ['.png', 'png.png'],
    ['..png', 'png.png'],
    ['%2e%2e%2fx.png', '%2e%2e%2fx.png'],
    ['\u202egnp.exe', 'gnp.png'],
  ])('call a file %j, which is %j', async (file_name, name) => {
    const bytes = await drawn(30, 30 + file_name.length)
      .png()
      .toBuffer()
    const form = multipart([{ name: 'file', value: bytes, file_name: Buffer.from(file_name).toString() }])
    const response = await fetch(`${api.origin}/api/image/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${staff.token}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      },
      body: new Uint8Array(form),
    })
    expect(await response.json()).toMatchObject({ name })
  })

  it.each<[string, Uint8Array]>([
    ['huge heads', multipart([file('x.png', `x: ${'y'.repeat(80_000)}\r\n`)])],
    ['many lines of heads', multipart([file('x.png', 'a: b\r\n'.repeat(20_000))])],
    ['no last boundary', partOf(file('x.png'))],
    ['two files', multipart([file('x.png'), file('y.png')])],
    ['a text after the file', multipart([file('x.png'), { name: 'name', value: 'x' }])],
    [
      'a text that is a file',
      multipart([
        { name: 'name', value: 'x', file_name: 'x.png' },
        { name: 'file', value: '' },
      ]),
    ],
    ['another name', multipart([{ name: 'image', value: picture, file_name: 'x.png' }])],
    ['tags that are no JSON', multipart([{ name: 'tags', value: '[' }, file('x.png')])],
    ['tags that are no list', multipart([{ name: 'tags', value: '{"__proto__":1}' }, file('x.png')])],
    ['an advertiser that is none', multipart([{ name: 'advertiser', value: '999999999' }, file('x.png')])],
    ['an advertiser in another form', multipart([{ name: 'advertiser', value: '1e3' }, file('x.png')])],
  ])('are refused with %s', async (_, body) => {
    expect(await send(body)).toBe(400)
    await expectNothingLeft()
  })

  it('leave nothing when they break off anywhere', async () => {
    const body = multipart([{ name: 'name', value: 'x' }, file('x.png')])
    for (let end = 1; end < body.length; end += 37) {
      const { write, socket } = await openSocket(api.origin)
      await write(uploadHead('/api/image/', staff.token, `content-length: ${body.length}\r\n`))
      await write(body.subarray(0, end))
      socket.destroy()
    }
    await expectNothingLeft()
    // None of this person's turns is held by one of them.
    const responses = await Promise.all(
      [1, 2, 3, 4].map(n => upload(staff, { path: '/api/image/', bytes: png(40 + n, 7) })),
    )
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  })
})

describe('many uploads at once', () => {
  it('of six people are stored, or told to wait, while others are served', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => api.signedIn('staff')))
    const other = await api.signedIn('staff')
    const pictures = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        plain(40 + n, 30)
          .png()
          .toBuffer(),
      ),
    )
    const over = new AbortController()
    let busy = 0
    const watching = (async () => {
      const statuses = new Set<number>()
      while (!over.signal.aborted) {
        statuses.add((await other.get('/api/users/identity/')).status)
        busy = Math.max(busy, pool.totalCount - pool.idleCount)
      }
      return statuses
    })()
    const responses = await Promise.all(
      people.flatMap(who =>
        pictures.map(
          async (bytes, n) => await upload(who, { path: n % 5 ? '/api/image/' : '/api/file/', bytes }),
        ),
      ),
    )
    over.abort()
    expect(await watching).toEqual(new Set([200]))
    const counts = Map.groupBy(responses, ({ status }) => status)
    expect([...counts.keys()].filter(status => ![200, 201, 429, 503].includes(status))).toEqual([])
    expect(counts.get(201)?.length).toBeGreaterThan(6)
    for (const { headers } of [...(counts.get(429) ?? []), ...(counts.get(503) ?? [])])
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    // Of 20, the others of which serve the other person; and all are given back.
    expect(busy).toBeLessThan(20)
    expect(pool.totalCount - pool.idleCount).toBe(0)
    await expectNothingLeft()
    await expectAllVerified()
  })

  it('that stop in the middle hold no session, no slot and nobody up', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => api.signedIn('staff')))
    const sockets = await Promise.all(
      people.flatMap(({ token }) =>
        [1, 2, 3].map(async n => {
          const { socket, write } = await openSocket(api.origin)
          await write(uploadHead('/api/file/', token, 'content-length: 9000000\r\n'))
          await write(partOf({ name: 'file', value: randomBytes(200_000 + n), file_name: 'x.bin' }))
          return socket
        }),
      ),
    )
    await vi.waitFor(() => expect(openHandles()).toHaveLength(60), { timeout: 20_000 })
    expect(pool.totalCount - pool.idleCount).toBe(0)
    const responses = await Promise.all(Array.from({ length: 20 }, () => staff.get('/api/image/')))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    // A further one waits for its turn.
    const { socket, write, received } = await openSocket(api.origin)
    await write(uploadHead('/api/file/', staff.token, 'content-length: 100\r\n'))
    for (const each of sockets) each.destroy()
    await write(
      Buffer.concat([partOf({ name: 'file', value: 'x', file_name: 'x.txt' }), LAST]).subarray(0, 100),
    )
    expect(await received(/HTTP\/1\.1 400/)).toContain('invalid')
    socket.destroy()
    await expectNothingLeft()
  })
})

it('has stored nothing but what it has read', async () => {
  expect(await expectAllVerified()).toBeGreaterThan(20)
  const who: Client = staff
  expect((await who.get(`/api/image/?advertiser=${aurora}`)).status).toBe(200)
})
