import { describe, expect, it } from 'vitest'
import { Link } from '#shared/api/links.ts'
import type { CheckOutcome } from '#shared/links/check-outcomes.ts'
import { createRequestLimits, queueLimits } from '#server/http/request-limits.ts'
import { expectRefusal, testApi, type ApiResponse } from '#server/http/testing/api.ts'

/** Links that were followed, and what happens meanwhile. */
const followed: string[] = []
const next: { outcome: CheckOutcome; meanwhile?: () => Promise<unknown> } = { outcome: 'ok' }
const api = await testApi({
  effects: {
    followLink: async link => {
      followed.push(link)
      await next.meanwhile?.()
      return { outcome: next.outcome, hops: [{ url: link, status: 200 }] }
    },
  },
})
const aurora = await api.advertiser('Aurora')
const staffOf = async () => {
  const person = await api.signedIn('staff')
  await api.db
    .insertInto('advertiser_member')
    .values({ advertiser: aurora, user_id: person.user.id })
    .execute()
  return person
}
const staff = await staffOf()
const outsider = await api.signedIn('staff')
const client = await api.client()

const facts = {
  advertiser: aurora,
  landing_url: 'https://shop.aurora.demo/',
  utm_source: 'a',
  utm_medium: 'b',
  utm_campaign: 'c',
}
const one = ({ body }: ApiResponse) => Link.parse(body)
const make = async () => one(await staff.post('/api/ad/', facts))
const check = async (id: number, who = staff) => await who.post(`/api/ad/${id}/check/`)

const linesOf = (id: number) =>
  api.db
    .selectFrom('audit')
    .select(['actor', 'detail'])
    .where('action', '=', 'link.check')
    .where('object_id', '=', String(id))
    .execute()

describe('checking a link', () => {
  it('keeps what came of it, without a new version', async () => {
    const person = await staffOf()
    const { id, link } = await make()
    const outcome = {
      outcome: 'ok',
      hops: [{ url: link, status: 200 }],
      checked_at: api.clock.now.toISOString(),
    }
    expect(one(await check(id, person))).toMatchObject({ check: outcome, version: 1 })
    expect(one(await staff.get(`/api/ad/${id}/`)).check).toEqual(outcome)
    expect(await linesOf(id)).toEqual([{ actor: person.user.id, detail: { name: 'a · c' } }])
  })

  it('is for those whose link it is', async () => {
    const { id } = await make()
    const before = followed.length
    expectRefusal(await check(id, outsider), 404, 'not_found')
    expectRefusal(await check(999_999_999), 404, 'not_found')
    expectRefusal(await check(id, client), 403, 'forbidden')
    expect(followed).toHaveLength(before)
  })

  it('may be done ten times a minute, of any links, from any process', async () => {
    const person = await staffOf()
    const { id } = await make()
    const other = await make()
    const results = await Promise.all(
      Array.from({ length: 12 }, (_, at) => check(at % 2 ? id : other.id, person)),
    )
    expect(results.filter(({ status }) => status === 200)).toHaveLength(10)
    const refused = results.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(2)
    for (const each of refused) expect(each.body).toMatchObject({ code: 'rate_limited' })
    expect(refused[0]?.headers.get('retry-after')).toBe('60')
    expect((await check(id)).status).toBe(200)
    const now = api.clock.now
    api.clock.now = new Date(now.getTime() + 59_999)
    expectRefusal(await check(id, person), 429, 'rate_limited')
    api.clock.now = new Date(now.getTime() + 60_000)
    expect((await check(id, person)).status).toBe(200)
  })

  it('holds no connection of the database while it waits', async () => {
    const person = await staffOf()
    const { id } = await make()
    let busy = -1
    next.meanwhile = async () => {
      busy = api.pool.totalCount - api.pool.idleCount
    }
    expect((await check(id, person)).status).toBe(200)
    delete next.meanwhile
    expect(busy).toBe(0)
  })

  it('waits beside one’s other changes, two at a time', async () => {
    const person = await staffOf()
    const { id } = await make()
    const generous = api.effects.requestLimits
    const writes = { per_minute: 1, burst: 6 }
    api.effects.requestLimits = createRequestLimits({ queues: queueLimits, writes })
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    const before = followed.length
    next.meanwhile = () => answered
    const checks = Array.from({ length: 5 }, () => check(id, person))
    await expect.poll(() => followed.length).toBe(before + 2)
    expect((await person.post('/api/ad/', facts)).status).toBe(201)
    expect(followed).toHaveLength(before + 2)
    answer()
    expect((await Promise.all(checks)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    // Each of the six is one of the writes of a minute.
    expectRefusal(await person.post('/api/ad/', facts), 429, 'rate_limited')
    api.effects.requestLimits = generous
    delete next.meanwhile
  })

  it('says nothing about a link that is changed or deleted meanwhile', async () => {
    const person = await staffOf()
    const changed = await make()
    next.meanwhile = () => staff.patch(`/api/ad/${changed.id}/`, { version: 1, utm_source: 'z' })
    const refused = await check(changed.id, person)
    expectRefusal(refused, 409, 'conflict')
    expect(refused.body).toMatchObject({ link: { utm_source: 'z', check: null } })
    const renamed = await make()
    next.meanwhile = () => staff.patch(`/api/ad/${renamed.id}/`, { version: 1, name: 'New' })
    expect(one(await check(renamed.id, person))).toMatchObject({ name: 'New', check: { outcome: 'ok' } })
    const deleted = await make()
    next.meanwhile = () => staff.delete(`/api/ad/${deleted.id}/`, { version: 1 })
    expectRefusal(await check(deleted.id, person), 404, 'not_found')
    next.meanwhile = () => Promise.reject(new Error('a process that ends'))
    const failed = await make()
    expect((await check(failed.id, person)).status).toBe(500)
    delete next.meanwhile
    // Its host has been called each time.
    for (const { id } of [changed, renamed, deleted, failed]) expect(await linesOf(id)).toHaveLength(1)
  })
})

describe('an installation', () => {
  it('says whether it checks links', async () => {
    expect((await staff.get('/api/users/identity/')).body).toMatchObject({ has_link_checks: true })
  })
})
