import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { IdentityName } from '#shared/access.ts'
import { routes } from '#server/app.ts'
import { testApi, type ApiResponse } from './testing/api.ts'

/**
 * A filter that takes an id responds for what is not mine as for what does not exist, byte for byte: else
 * counting through the ids would reveal who works with whom.
 */
const api = await testApi()
const MISSING = 987_654_321_987
// Ids of different kinds never overlap, so that a wrong kind is the same as none.
for (const [index, table] of ['advertiser', 'ad_account', 'folder', 'report', 'users'].entries())
  await sql`alter table ${sql.ref(table)} alter column id restart with ${sql.lit((index + 1) * 1_000_000)}`.execute(
    api.db,
  )

/** What a filter needs beside it to get a response at all. */
const beside: Record<string, string> = {
  '/api/ad/metrics/': 'start=2026-11-01&end=2026-11-30',
  '/api/ad/filter-values/': 'channel=fb&field=campaign_name',
  '/api/advertiser/relate/ad-account/': '',
}
/** A number that is no id. */
const NO_IDS = ['update_day_of_month']
/** Filters that take comma-separated ids look like any other text. */
const LISTS_OF_IDS = ['ids', 'accounts']

const filters = routes
  .filter(({ method, facts }) => method === 'GET' && facts.query)
  .flatMap(({ path, facts }) =>
    Object.entries(propertiesOf(facts.query)).flatMap(([filter, schema]) =>
      !NO_IDS.includes(filter) && (LISTS_OF_IDS.includes(filter) || takesId(schema))
        ? [{ path, filter }]
        : [],
    ),
  )

/** One advertiser with everything that it can have, whose people the callers do not know. */
async function plant() {
  const boss = await api.signedIn('superuser')
  const client = await api.signedIn('external_user', { full_name: 'Their client' })
  const colleague = await api.signedIn('staff', { department: 5, full_name: 'Their colleague' })
  const advertiser = await api.advertiser(`Theirs ${randomUUID()}`, [client.user.id, colleague.user.id])
  const account = await api.account({ advertiser, name: 'Their account' })
  const folder = await client.folder({ name: 'Their folder' })
  const report = await client.report({ name: 'Their report', folder: folder.id })
  return {
    advertiser,
    account,
    folder: folder.id,
    report: report.id,
    client: client.user.id,
    boss: boss.user.id,
  }
}

const planted = await plant()

describe.each(['external_user', 'staff', 'manager'] as const satisfies IdentityName[])('to %s', identity => {
  it.each(filters)('$filter of $path reveals nothing of what is not theirs', async ({ path, filter }) => {
    const mine = await api.signedIn(identity, { department: 3 })
    await api.advertiser(`Mine ${randomUUID()}`, [mine.user.id])
    const call = async (id: number) => {
      const address = `${path.replace(/:\w+/, '1')}?${beside[path] ?? ''}&${filter}=${id}`
      return comparable(await mine.get(address), id)
    }
    const nobody = await call(MISSING)
    for (const [what, id] of Object.entries(planted)) expect(await call(id), what).toEqual(nobody)
  })
})

it('covers every filter that takes an id', () => {
  expect(filters.map(({ path, filter }) => `${filter} of ${path}`)).toEqual(
    expect.arrayContaining([
      'advertiser of /api/user/',
      'advertiser of /api/ad/account/',
      'folder of /api/gs-template-setting/',
      'p of /api/gs-template-folder/',
      'accounts of /api/ad/metrics/',
      'accounts of /api/ad/filter-values/',
      'advertiser of /api/advertiser/relate/ad-account/',
    ]),
  )
})

/** But for the number that was sent, and the request id. */
function comparable({ status, body }: ApiResponse, id: number) {
  const text = JSON.stringify(body) ?? ''
  return {
    status,
    text: text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID').replaceAll(/"request_id":"[^"]*"/g, ''),
  }
}

function propertiesOf(type: z.ZodType | undefined): Record<string, unknown> {
  return type ? (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }).properties ?? {}) : {}
}

function takesId(schema: unknown): boolean {
  const { pattern, anyOf = [] } = Object(schema) as { pattern?: string; anyOf?: unknown[] }
  return pattern === String.raw`^[1-9]\d{0,15}$` || anyOf.some(takesId)
}
