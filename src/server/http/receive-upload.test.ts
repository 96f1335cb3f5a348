import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { folderOf } from '#server/files/testing/materials.ts'
import { receiveUpload } from './receive-upload.ts'
import { refuse } from './refusal.ts'
import { route } from './route.ts'
import { expectRefusal, testApi } from './testing/api.ts'
import { BOUNDARY, LAST, multipart, openSocket, partOf, uploadHead } from './testing/multipart.ts'

const PATH = '/api/test/upload/'
const MOST = 1024 * 1024
const admitted: unknown[] = []

const upload = route('POST', PATH, {
  summary: 'Says what it has received.',
  level: 'staff',
  kind: 'file',
  transaction: 'own',
  streams_form: z.strictObject({ name: z.string().max(20).optional(), tags: z.string().optional() }),
  reply: z.object({ size: z.number(), sha256: z.string(), client_name: z.string(), admitted: z.unknown() }),
  status: 201,
  run: input =>
    receiveUpload(
      input,
      {
        texts: z.strictObject({ name: z.string().max(20).optional(), tags: z.string().optional() }),
        most_bytes: MOST,
        too_large: 'upload_too_large',
        async admit(texts) {
          admitted.push(texts)
          if (texts.name === 'not yours') throw refuse('forbidden')
          return texts
        },
      },
      async ({ path: _path, ...file }, texts) => ({ ...file, admitted: texts }),
    ),
})

const api = await testApi({ routes: [upload] })
const staff = await api.signedIn('staff')
const client = await api.signedIn('external_user')

const folder = await folderOf(api.effects.files.temporary)
/** Of this process, in the folder of temporary files. */
const openHandles = () =>
  readdirSync('/proc/self/fd').filter(name => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`).startsWith(folder)
    } catch {
      return false
    }
  })
const expectNothingLeft = async () => {
  await vi.waitFor(() => expect([readdirSync(folder), openHandles()]).toEqual([[], []]), { timeout: 10_000 })
}
afterEach(expectNothingLeft)

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const file = (value: string | Uint8Array, file_name = 'a.bin') => ({ name: 'file', value, file_name })

async function send(body: Uint8Array, headers: Record<string, string> = {}, token = staff.token) {
  const response = await fetch(api.origin + PATH, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      ...headers,
    },
    body: new Uint8Array(body),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

describe('an upload', () => {
  it('is a temporary file, counted and hashed', async () => {
    const bytes = randomBytes(700_000)
    const form = new FormData()
    form.append('name', '秋季')
    form.append('file', new File([bytes], '秋季 特賣 "1".png', { type: 'text/html' }))
    expect(await staff.post(PATH, form)).toMatchObject({
      status: 201,
      body: {
        size: 700_000,
        sha256: sha256Of(bytes),
        client_name: '秋季 特賣 %221%22.png',
        admitted: { name: '秋季' },
      },
    })
  })

  it('may have as many bytes as are allowed, and not one more', async () => {
    expect(await send(multipart([file(randomBytes(MOST))]))).toMatchObject({ status: 201 })
    const surplus = { file: ['upload_too_large' as const] }
    expectRefusal(await send(multipart([file(randomBytes(MOST + 1))])), 400, 'invalid', surplus)
    expectRefusal(await send(multipart([file(randomBytes(5 * MOST))])), 400, 'invalid', surplus)
  })

  it('is refused before it is read, for whoever may not upload it', async () => {
    admitted.length = 0
    const body = multipart([{ name: 'name', value: 'not yours' }, file(randomBytes(900_000))])
    expectRefusal(await send(body, {}, 'x'), 401, 'unauthenticated')
    expectRefusal(await send(body, {}, client.token), 403, 'forbidden')
    expect(admitted).toEqual([])
    expectRefusal(await send(body), 403, 'forbidden')
    expect(admitted).toEqual([{ name: 'not yours' }])
    const unknown = multipart([{ name: 'size', value: '1' }, file('x')])
    expectRefusal(await send(unknown), 400, 'invalid', { size: ['field_unknown'] })
  })

  it('comes as a form, with a file', async () => {
    expectRefusal(
      await send(Buffer.from('{}'), { 'content-type': 'application/json' }),
      415,
      'unsupported_media_type',
    )
    const none = multipart([{ name: 'name', value: 'x' }])
    expectRefusal(await send(none), 400, 'invalid', { file: ['field_required'] })
    expectRefusal(await send(LAST), 400, 'invalid', { file: ['field_required'] })
    expectRefusal(await send(multipart([file('')])), 400, 'invalid', { file: ['file_empty'] })
  })

  const name = { name: 'name', value: 'x' }
  const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `f${n}`, value: 'x' }))
  it.each<[string, Uint8Array, Record<string, string>?]>([
    ['no boundary', multipart([file('x')]), { 'content-type': 'multipart/form-data' }],
    [
      'two boundaries',
      multipart([file('x')]),
      { 'content-type': `multipart/form-data; boundary=x; boundary=${BOUNDARY}` },
    ],
    ['another boundary', multipart([file('x')]), { 'content-type': 'multipart/form-data; boundary=other' }],
    ['no last boundary', partOf(file('x'))],
    ['a file that does not end', partOf(file(randomBytes(200_000))).subarray(0, 100_000)],
    ['a head that does not end', Buffer.from(`--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"`)],
    ['nothing', Buffer.alloc(0)],
    ['something else', randomBytes(10_000)],
    ['two files', multipart([file('x'), file('y')])],
    ['a text after the file', multipart([file('x'), name])],
    ['a text twice', multipart([name, name, file('x')])],
    ['a NUL', multipart([{ name: 'name', value: 'x\0y' }, file('x')])],
    ['many texts', multipart([...many(11), file('x')])],
    ['a text that is too long', multipart([{ name: 'tags', value: 'x'.repeat(20_000) }, file('x')])],
    ['a prototype', multipart([{ name: '__proto__', value: 'x' }, file('x')])],
    ['a head of 90 KB', multipart([{ ...file('x'), head: `x: ${'y'.repeat(90_000)}\r\n` }])],
    ['a head of 2 MB', multipart([{ ...file('x'), head: 'a: b\r\n'.repeat(350_000) }])],
    ['a preamble of 2 MB', Buffer.concat([randomBytes(2 * MOST), multipart([file('x')])])],
  ])('is refused with %s', async (_, body, headers) => {
    const response = await send(body, headers)
    expect([400, 413]).toContain(response.status)
    expect(response.body).toMatchObject({ code: expect.stringMatching(/^(invalid|payload_too_large)$/) })
  })
})

describe('a client that still sends', () => {
  it('gets its refusal, and may go on with the next request', async () => {
    const { write, received, socket } = await openSocket(api.origin)
    await write(uploadHead(PATH, staff.token, 'transfer-encoding: chunked\r\n'))
    const chunk = async (bytes: Uint8Array) => {
      await write(`${bytes.length.toString(16)}\r\n`)
      await write(bytes)
      await write('\r\n')
    }
    await chunk(partOf(file('')).subarray(0, -2))
    for (let n = 0; n < 30; n++) await chunk(randomBytes(MOST))
    const text = await received(/upload_too_large/)
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    await chunk(LAST)
    await write(
      `0\r\n\r\nGET /api/nothing/ HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${staff.token}\r\n\r\n`,
    )
    expect(await received(/HTTP\/1\.1 404 /)).toContain('not_found')
    socket.destroy()
  })

  it('and then disconnects leaves nothing', async () => {
    const { write, socket } = await openSocket(api.origin)
    admitted.length = 0
    await write(uploadHead(PATH, staff.token, 'content-length: 900000\r\n'))
    await write(partOf(file(randomBytes(500_000))).subarray(0, 500_000))
    await vi.waitFor(() => expect(openHandles()).toHaveLength(1))
    socket.destroy()
    await expectNothingLeft()
    expect(admitted).toHaveLength(1)
  })
})

describe('an upload on a slow line', async () => {
  const hasty = await testApi({ routes: [upload], request_ms: 300, effects: { files: api.effects.files } })
  const slow = await hasty.signedIn('staff')

  /** A bit now and then, until there is an answer. */
  async function trickled(token: string, form: Uint8Array, bit: Uint8Array, most = Infinity) {
    const { socket, write, received } = await openSocket(hasty.origin)
    await write(uploadHead(PATH, token, `content-length: ${form.length + LAST.length + 2}\r\n`))
    const bits = Array.from({ length: Math.ceil(form.length / bit.length) }, (_, n) =>
      form.subarray(n * bit.length, (n + 1) * bit.length),
    )
    const all = [...bits.slice(0, most), ...(most < bits.length ? [] : [Buffer.from('\r\n'), LAST])]
    const timer = setInterval(() => socket.write(all.shift() ?? ''), 20)
    try {
      return await received(/\r\n\r\n./)
    } finally {
      clearInterval(timer)
      socket.destroy()
    }
  }
  const form = (bytes: number) => partOf(file(randomBytes(bytes))).subarray(0, -2)

  it('may take longer than other requests, while it goes on', async () => {
    const began = performance.now()
    expect(await trickled(slow.token, form(900_000), Buffer.alloc(15_000))).toMatch(/^HTTP\/1\.1 201 /)
    expect(performance.now() - began).toBeGreaterThan(3 * 300)
  })

  it('is ended with 408 when it comes byte by byte, or stops', async () => {
    expect(await trickled(slow.token, form(900_000), Buffer.alloc(20))).toMatch(/^HTTP\/1\.1 408 /)
    expect(await trickled(slow.token, form(900_000), Buffer.alloc(200_000), 2)).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('is anonymous as any other, and has no longer than any other', async () => {
    const { socket, write, received } = await openSocket(hasty.origin)
    await write(uploadHead(PATH, 'x', 'content-length: 900000\r\n'))
    expect(await received(/unauthenticated/)).toMatch(/^HTTP\/1\.1 401 /)
    const timer = setInterval(() => socket.write(Buffer.alloc(15_000)), 20)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(timer)
  })

  it('is dropped after a refusal, and ended when that takes as long', async () => {
    const { socket, write, received } = await openSocket(hasty.origin)
    await write(uploadHead(PATH, slow.token, 'content-length: 900000\r\n'))
    await write(multipart([{ name: 'name', value: 'not yours' }]).subarray(0, -LAST.length))
    await write(partOf(file('x')))
    expect(await received(/forbidden/)).toMatch(/^HTTP\/1\.1 403 /)
    const timer = setInterval(() => socket.write('x'), 20)
    await new Promise(resolve => socket.once('close', resolve))
    clearInterval(timer)
  })
})
