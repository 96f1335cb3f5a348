import { describe, expect, it } from 'vitest'
import { fetchAccess } from './fetch-access.ts'
import type { Client } from './http.ts'
import { Problem } from './problem.ts'

const answering = (reply: () => unknown) =>
  fetchAccess({ anonymous: (async () => reply()) as Client['anonymous'] })
const failing = (error: unknown) =>
  answering(() => {
    throw error
  })

describe('a renewal', () => {
  it('gives the access token, or null where the server gives none', async () => {
    expect(await answering(() => ({ access: 'fresh' }))).toBe('fresh')
    expect(await answering(() => ({}))).toBeNull()
  })

  it.each([
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['internal_error', 500],
  ] as const)('is refused by %s', async (code, status) => {
    expect(await failing(new Problem({ code, status }))).toBeNull()
  })

  it.each([
    ['a server that cannot be reached', new Problem({ code: 'unreachable' })],
    ['a gateway', new Problem({ code: 'unreachable', status: 502 })],
    ['a busy server', new Problem({ code: 'overloaded', status: 503 })],
    ['one that is asked too often', new Problem({ code: 'rate_limited', status: 429 })],
    ['the sign-in page of a network', new Problem({ code: 'unreadable', status: 200 })],
    ['a page that is left meanwhile', new DOMException('left', 'AbortError')],
    ['a connection that breaks', new TypeError('network error')],
  ])('is not refused by %s', async (_, error) => {
    await expect(failing(error)).rejects.toBeInstanceOf(Problem)
  })
})
