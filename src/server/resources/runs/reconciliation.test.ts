import { afterEach, describe, expect, it } from 'vitest'
import { ReportPending, sourceOf, type Source } from '#server/connectors/connector.ts'
import { meta } from '#server/connectors/meta/report.ts'
import { testAgency } from './testing/agency.ts'

const agency = await testAgency()
const { db, sandbox, report, run, block, attempt, queue, resume } = agency
afterEach(() => sandbox.setFaults([]))

const TAIWAN = 'Aurora Cosmetics Taiwan'
const OUTLET = 'Aurora Cosmetics Outlet'
const EMPTY = 'Delta Fitness new (empty)'
const EMPTY_ID = '10150622911041012'
const real = sourceOf(meta, { access_token: 'sandbox-agency' })

describe('the reconciliation of a run', () => {
  it('compares the rows of every account with its own total', async () => {
    const blocks = [
      block([TAIWAN, OUTLET], { metrics: ['impressions', 'cost', 'ctr', 'reach'] }),
      block([TAIWAN], { metrics: ['impressions', 'cost'] }),
    ]
    const { id } = await report({ blocks, dimensions: JSON.stringify(['account_name', 'campaign']) })
    const done = await run(id)
    expect(done.blocks.map(({ proof }) => proof)).toEqual([
      { matches: true, differences: [] },
      { matches: true, differences: [] },
    ])
  })

  it('has by how much and in which metric the rows and the total differ', async () => {
    const { id } = await report({ dimensions: JSON.stringify(['campaign']) })
    const forged: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('level=account')) return response
      const text = await response.text()
      const changed = text.replace(
        /"impressions":"(\d+)"/,
        (_, count) => `"impressions":"${Number(count) + 7}"`,
      )
      return new Response(changed, {
        status: response.status,
        headers: { 'content-type': 'application/json' },
      })
    }
    const [first] = (await run(id, { fetch: forged })).blocks
    const [difference] = first?.proof?.differences ?? []
    expect(first?.proof).toMatchObject({ matches: false, differences: [{ metric: 'impressions' }] })
    expect((difference?.platform ?? 0) - (difference?.table ?? 0)).toBe(7)
  })

  it('is skipped where a filter makes the table smaller on purpose', async () => {
    const filters = [{ field: 'campaign_name' as const, rule: 'NOT_CONTAINS' as const, values: ['zzz'] }]
    const { id } = await report({ blocks: [block([TAIWAN], { filters })] })
    expect((await run(id)).blocks).toMatchObject([{ status: 'ok', proof: null }])
  })

  it('is left out, and the run completed, when the platform does not return the total', async () => {
    // By the request, not by its turn: the total is asked for beside the rows.
    const refused: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (!String(input).includes('level=account')) return response
      await response.body?.cancel()
      return Response.json(
        { error: { message: 'refused', type: 'OAuthException', code: 10 } },
        { status: 403 },
      )
    }
    const { id } = await report({ dimensions: JSON.stringify(['campaign']) })
    expect(await run(id, { fetch: refused })).toMatchObject({
      status: 'completed',
      blocks: [{ status: 'ok', proof: null }],
    })
  })
})

describe('a block without rows', () => {
  const because = async (names: string[], more: Parameters<typeof block>[1] = {}) => {
    const { id } = await report({ blocks: [block([TAIWAN]), block(names, more)] })
    return (await run(id)).blocks[1]?.empty_because
  }
  const name = (rule: 'CONTAINS' | 'NOT_CONTAINS', ...values: string[]) => ({
    field: 'campaign_name' as const,
    rule,
    values,
  })

  it('says that the account had no delivery', async () => {
    expect(await because([EMPTY])).toEqual({ cause: 'no_delivery', detail: { account: EMPTY } })
  })

  it('names the filter that removed everything', async () => {
    const filters = [name('NOT_CONTAINS', 'zzz'), name('CONTAINS', 'no campaign is called so')]
    expect(await because([TAIWAN], { filters })).toEqual({
      cause: 'filter',
      detail: { filter: 'campaign_name', rule: 'CONTAINS', values: ['no campaign is called so'] },
    })
  })

  it('names the filter that left no account', async () => {
    const filters = [{ field: 'account_name' as const, rule: 'EQUAL' as const, values: ['nobody'] }]
    expect(await because([TAIWAN], { filters })).toEqual({
      cause: 'account_filter',
      detail: { filter: 'account_name', rule: 'EQUAL', values: ['nobody'] },
    })
  })

  it('waits for a platform that has to prepare the result first', async () => {
    let polls = 0
    const source: Source = {
      ...real,
      async prepare({ time, account, dimensions }) {
        const is_total = time === 'total' && dimensions.length === 0
        const is_why_request = is_total && account.external_id === EMPTY_ID
        if (is_why_request && polls++ < 2) throw new ReportPending(5000)
      },
    }
    const { id } = await report({
      blocks: [block([TAIWAN]), block([EMPTY], { filters: [name('CONTAINS', 'x')] })],
    })
    const effects = { sourceOf: async () => source }
    const run_id = await queue(id)
    expect(await attempt(run_id, effects)).toMatchObject({ status: 'queued', failures: 0 })
    await resume(run_id)
    expect(await attempt(run_id, effects)).toMatchObject({ status: 'queued', failures: 0 })
    await resume(run_id)
    const done = await attempt(run_id, effects)
    expect(done.blocks[1]?.empty_because).toMatchObject({ cause: 'no_delivery' })
  })

  it('does not delay the run when the reason is unavailable', async () => {
    const source: Source = { ...real, checkAccount: () => Promise.reject(new Error('no answer')) }
    const { id } = await report({ blocks: [block([TAIWAN]), block([EMPTY])] })
    const done = await run(id, { sourceOf: async () => source })
    expect(done).toMatchObject({ status: 'completed', partial: true })
    expect(done.blocks[1]?.empty_because).toMatchObject({ cause: 'unknown' })
  })
})

describe('a report that the platform is still preparing', () => {
  it('makes the run wait without a worker, and counts as no failure', async () => {
    const { id } = await report({ blocks: [block([TAIWAN]), block([OUTLET])] })
    const run_id = await queue(id)
    const requested: string[] = []
    let ready = false
    const source: Source = {
      ...real,
      async prepare({ account, time }, { jobs }) {
        const key = `${account.external_id} ${time}`
        await jobs.startOnce(key, async () => {
          requested.push(key)
          return `job ${requested.length}`
        })
        if (!ready) throw new ReportPending(45_000)
      },
    }
    const countRequests = async () =>
      (await sandbox.requests()).filter(({ path }) => path.includes('insights')).length
    const before = await countRequests()
    const waiting = await attempt(run_id, { sourceOf: async () => source })
    expect(waiting).toMatchObject({ status: 'queued', failures: 0, code: null })
    expect(waiting.resumes_at?.getTime()).toBeGreaterThan(Date.now() + 30_000)
    expect(await countRequests()).toBe(before)
    expect(requested).toHaveLength(4)
    ready = true
    await resume(run_id)
    expect(await attempt(run_id, { sourceOf: async () => source })).toMatchObject({ status: 'completed' })
    expect(requested).toHaveLength(4)
    expect(await db.selectFrom('run_job').select('job').where('run', '=', run_id).execute()).toHaveLength(4)
  })
})

it('notes that days differ between accounts when they are in several zones', async () => {
  const { id } = await report({
    blocks: [block([TAIWAN, 'オーロラ化粧品 Japan'], { metrics: ['impressions'] })],
  })
  expect((await run(id)).notes).toEqual([
    { code: 'several_time_zones', block: null, detail: { zones: 'Asia/Taipei, Asia/Tokyo' } },
  ])
})
