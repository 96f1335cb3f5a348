import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { boundedWait, sendHttp, json } from './http.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { AccessToken } from './tokens.ts'

const NOBODY = 'http://127.0.0.1:9'
const NOW = '2026-11-21T04:00:00Z'
const account = {
  provider: 'meta',
  external_id: '1',
  currency: 'TWD',
  timezone: 'Asia/Taipei',
  via: null,
} as const

it('reveals nothing of a token that cannot be sent', async () => {
  const context = testContext(NOBODY, NOW)
  const headers = { authorization: 'Bearer hidden\nhidden' }
  const failures: unknown[] = await Promise.all([
    sendHttp(context, NOBODY, { headers }).catch((error: unknown) => error),
    meta
      .checkAccount(account, { ...context, login: { access_token: 'hidden\nhidden' } })
      .catch((error: unknown) => error),
  ])
  for (const failure of failures) {
    expect(failure).toMatchObject({ code: 'platform_unavailable' })
    expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain('hidden')
  }
})

it.each(['', 'a b', 'a\r\nx: y', '漢', 7, null])('takes %j for no token', token => {
  expect(AccessToken.safeParse(token).success).toBe(false)
})

it('waits no longer than a day for whatever a platform says', () => {
  expect([-5, 0, 60_000, 1e12, 1e308].map(boundedWait)).toEqual([0, 0, 60_000, 86_400_000, 86_400_000])
})

it('reads no names in another encoding, and takes a page that says no in one for no JSON', () => {
  const response = (status: number, text: string) => ({
    status,
    headers: new Headers(),
    bytes: Buffer.from(text, 'latin1'),
  })
  expect(() => json(response(200, '{"name":"caf\xe9"}'))).toThrow('not UTF-8')
  expect(json(response(502, '<h1>d\xe9sol\xe9</h1>'))).toBeUndefined()
  expect(json(response(400, '{"error":{}}'))).toEqual({ error: {} })
})

it('reads a body in blocks that end where lines end, and in one piece', async () => {
  const chunks = ['a,1\nb', ',2\nc', ',3', ',4', '\n\nd']
  const bodyOf = () => ReadableStream.from(chunks.map(text => new TextEncoder().encode(text)))
  const context = { ...testContext(NOBODY, NOW), fetch: async () => new Response(bodyOf()) }
  const blocksOf = async (limits: object) => {
    const { blocks, bytes } = await sendHttp(context, NOBODY, {}, limits)
    expect(bytes.toString()).toBe(chunks.join(''))
    return blocks.map(String)
  }
  expect(await blocksOf({})).toEqual([chunks.join('')])
  expect(await blocksOf({ block_bytes: 3 })).toEqual(['a,1\n', 'b,2\n', 'c,3,4\n\n', 'd'])
  expect(await blocksOf({ block_bytes: 1000 })).toEqual([chunks.join('')])
})

it('has no block of an empty body', async () => {
  const context = { ...testContext(NOBODY, NOW), fetch: async () => new Response('') }
  const { blocks, bytes } = await sendHttp(context, NOBODY, {})
  expect([blocks, bytes.length]).toEqual([[], 0])
})
