import { createHash, randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { MemberColumn } from '#shared/audiences.ts'
import type { Audience } from '#shared/api/audiences.ts'
import type { ApiResponse, Client, TestApi } from '#server/http/testing/api.ts'

export const LTA = '/api/lta/'

export const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

export const COLUMNS: MemberColumn[] = ['email', 'email_google', 'phone', 'phone_e164']

/** A person of the demo, by number. */
export const personRow = (n: number) => [
  hashOf(`person.${n}@mail.demo`),
  '',
  hashOf(`8869${String(n).padStart(8, '0')}`),
  hashOf(`+8869${String(n).padStart(8, '0')}`),
]

export const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => personRow(from + n))

/** One batch, the only one of its upload unless something else is said. */
export const batchOf = (rows: string[][], more: object = {}) => ({
  session: randomUUID(),
  seq: 1,
  last: true,
  action: 'add',
  columns: COLUMNS,
  rows,
  ...more,
})

export async function customerFile(client: Client, facts: { advertiser: number; name?: string }) {
  const body = { kind: 'customer_file', name: randomUUID(), basis: 'Terms of the shop', ...facts }
  const response = await client.post(LTA, body)
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 201 })
  return response.body as Audience
}

export const send = (client: Client, { id }: { id: number }, batch: object): Promise<ApiResponse> =>
  client.post(`${LTA}${id}/members/`, batch)

export async function filled(client: Client, facts: { advertiser: number; rows: string[][]; name?: string }) {
  const { rows, ...rest } = facts
  const audience = await customerFile(client, rest)
  const response = await send(client, audience, batchOf(rows))
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 200 })
  return audience
}

export const readAudience = async (client: Client, { id }: { id: number }) =>
  (await client.get(`${LTA}${id}/`)).body as Audience

/** As the job of shares leaves it. */
export async function shareWith(
  { db, account }: Pick<TestApi, 'db' | 'account'>,
  audience: { id: number; advertiser: number },
  facts: { state?: 'ready' | 'queued' | 'failed'; auto_sync?: boolean; account?: number } = {},
) {
  const ad_account = facts.account ?? (await account({ advertiser: audience.advertiser }))
  const { id } = await db
    .insertInto('audience_share')
    .values({
      audience: audience.id,
      ad_account,
      mode: 'home',
      state: facts.state ?? 'ready',
      auto_sync: facts.auto_sync ?? true,
      parts: JSON.stringify([{ part: 'all', external_id: '2385', progress: {} }]),
      business: null,
      home: null,
      size: null,
      match: null,
      code: null,
      message: null,
      request_id: null,
      synced_at: null,
      checked_at: null,
      next_at: null,
      claim: null,
      claimed_until: null,
      created_by: null,
      created_at: new Date(),
      last_modified_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, ad_account }
}
