import { describe, expect, it } from 'vitest'
import type { ConnectorContext } from '#server/connectors/connector.ts'
import { login, large, fault, tiktokSandbox } from './testing/sandbox.ts'

const { fetchRows, setFaults, context } = tiktokSandbox()

describe('limits of TikTok', () => {
  const waits = async (window: string) => {
    await setFaults([fault('rate_limit', { window })])
    const sleeps: number[] = []
    const pauses: [string, number][] = []
    const base = context()
    const report: ConnectorContext['limiter']['report'] = async ({ kind }, { pause_ms }) =>
      void (pause_ms > 0 && pauses.push([kind, pause_ms]))
    const sleep = async (ms: number) => void sleeps.push(ms)
    const failure = await fetchRows({ time: 'total' }, { sleep, limiter: { ...base.limiter, report } }).catch(
      (thrown: unknown) => thrown,
    )
    return { failure, sleeps, pauses }
  }

  it('of a second are waited out, twice; then the run waits', async () => {
    expect(await waits('second')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms: 305_000 }),
      sleeps: [2000, 10_000],
      pauses: [
        ['app', 2000],
        ['app', 10_000],
        ['app', 305_000],
      ],
    })
  })

  it('of a minute make the run wait for five', async () => {
    expect(await waits('minute')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms: 305_000 }),
      sleeps: [],
      pauses: [['app', 305_000]],
    })
  })

  it('of a day make the run wait for midnight', async () => {
    const retry_after_ms = 20 * 3_600_000
    expect(await waits('day')).toEqual({
      failure: expect.objectContaining({ code: 'quota_exhausted', retry_after_ms }),
      sleeps: [],
      pauses: [['app', retry_after_ms]],
    })
  })

  it('of an advertiser hold up no other one', async () => {
    const { failure, pauses } = await waits('advertiser')
    expect(failure).toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    expect(pauses.map(([kind]) => kind)).toEqual(['account', 'account', 'account'])
  })

  it('are respected by rates of the app and of its tasks', async () => {
    const rates = new Map<string, unknown>()
    const acquire: ConnectorContext['limiter']['acquire'] = async ({ id, rate }) => void rates.set(id, rate)
    await fetchRows({ account: large, dimensions: ['ad'] }, { limiter: { ...context().limiter, acquire } })
    expect(Object.fromEntries(rates)).toEqual({
      [login.app_id]: { most: 10, window_ms: 1250 },
      [`${login.app_id} tasks`]: { per_minute: 55, burst: 2 },
      [large.external_id]: undefined,
    })
  })
})
