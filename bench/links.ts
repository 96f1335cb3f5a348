import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createTokens } from '#server/http/tokens.ts'
import { startFamily } from '#server/resources/session/queries.ts'
import { buildLink } from '#shared/links/build-link.ts'
import { emptyValues } from '#shared/links/presets.ts'
import { serverOver } from './api.ts'
import type { BenchCase, Prepared } from './case.ts'
import { startDatabase } from './database.ts'

// Campaign links as the page makes them of lists: sources × contents, with placeholders and Chinese names.

const LANDING = 'https://shop.aurora.demo/autumn?ref=hp&utm_source=old#top'

export const cases: BenchCase[] = [
  {
    id: 'L1',
    what: 'links built by the rules, beside the same parameters set by URLSearchParams',
    sizes: [500, 5000],
    unit: 'links',
    binding: [5000],
    reach: { ratio: 3, megabytes: 250 },
    prepare: prepareBuilding,
  },
  {
    id: 'L2',
    what: 'a bulk of 500 links over HTTP, beside inserting the same addresses (≤ 300 ms)',
    sizes: [50, 500],
    unit: 'links',
    binding: [500],
    reach: { megabytes: 300 },
    prepare: prepareBulk,
  },
]

const valuesOf = (at: number, campaign: string) => ({
  utm_source: ['facebook', 'instagram', 'line'][at % 3] ?? 'facebook',
  utm_medium: 'paid_social',
  utm_campaign: `${campaign} 秋季特賣`,
  utm_id: String(at),
  utm_content: '{{ad.id}}',
})

function prepareBuilding(size: number): Prepared {
  const links = Array.from({ length: size }, (_, at) => valuesOf(at, 'autumn'))
  return {
    ours() {
      for (const values of links)
        buildLink({ platform: 'meta', landing_url: LANDING, extra: [], ...emptyValues, ...values })
    },
    floor() {
      for (const values of links) {
        const url = new URL(LANDING)
        for (const [key, value] of Object.entries(values)) url.searchParams.set(key, value)
        String(url)
      }
    },
  }
}

async function prepareBulk(size: number): Promise<Prepared> {
  const { db, stop } = await startDatabase()
  const { id: user } = await db
    .insertInto('users')
    .values({ username: 'staff', identity: 'director', user_type: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: advertiser } = await db
    .insertInto('advertiser')
    .values({ name: 'Aurora' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const key = randomBytes(32)
  const app = await serverOver(db, key)
  const session = { now: new Date(), session_days: 30, address: null, user_agent: null }
  const claims = await db.transaction().execute(trx => startFamily(trx, user, session))
  const headers = { authorization: `Bearer ${await createTokens(key).signAccess(claims, new Date())}` }
  await sql`create table floor (link text)`.execute(db)
  const preset = { advertiser, platform: 'meta', landing_url: LANDING }
  return {
    async ours() {
      const campaign = randomUUID()
      const rows = Array.from({ length: size }, (_, at) => ({ ...preset, ...valuesOf(at, campaign) }))
      const started = performance.now()
      const { body } = await app.inject({ method: 'POST', url: '/api/ad/bulk/', headers, payload: { rows } })
      const ended = performance.now()
      if (JSON.parse(body).create !== size) throw new Error(body.slice(0, 500))
      return ended - started
    },
    async floor() {
      const links = Array.from({ length: size }, (_, at) => `${LANDING}${at}`)
      await sql`insert into floor select unnest(${links}::text[])`.execute(db)
    },
    async stop() {
      await app.close()
      await stop()
    },
  }
}
