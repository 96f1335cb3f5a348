import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openExecutor } from '#server/workers/executor.ts'
import { testAgency } from '#server/resources/runs/testing/agency.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'
import { logCall, logRequest } from './request-log.ts'

const Line = z.looseObject({ level: z.number(), msg: z.string() })
const [DEBUG, INFO, WARN] = [20, 30, 40]

function testLog() {
  const lines: z.infer<typeof Line>[] = []
  const log = pino({ level: 'debug' }, { write: text => void lines.push(Line.parse(JSON.parse(text))) })
  return { lines, log }
}

describe('platform request', () => {
  const request = { host: 'meta', method: 'GET', path: '/x', status: 200, took_ms: 20, bytes: 2 } as const

  it.each([
    ['is logged at debug level when it succeeds', {}, DEBUG],
    ['is logged when it is slow', { took_ms: 10_000 }, INFO],
    ['is logged when it is refused', { status: 403 }, INFO],
    ['is a warning when the platform fails', { status: 503 }, WARN],
    ['is a warning without a response', { status: null }, WARN],
  ])('%s', (_, facts, level) => {
    const { lines, log } = testLog()
    logRequest(log, { ...request, ...facts, run: 'a-run', attempt: 1 })
    expect(lines).toMatchObject([{ level, host: 'meta', path: '/x', run: 'a-run', attempt: 1 }])
  })
})

describe('spreadsheet call', () => {
  const call = { call: 'getFile', system_user: 'a@b', spreadsheet: 'x', code: null, took_ms: 20 } as const

  it.each([
    ['is logged at debug level when it succeeds', {}, DEBUG],
    ['is logged when it is slow', { took_ms: 10_000 }, INFO],
    ['is logged when it is refused', { code: 'spreadsheet_not_found' }, INFO],
    ['is a warning when the service fails', { code: 'spreadsheet_unavailable' }, WARN],
  ])('%s', (_, facts, level) => {
    const { lines, log } = testLog()
    logCall(log, { ...call, ...facts })
    expect(lines).toMatchObject([{ level, call: 'getFile' }])
  })
})

describe('the log of a run', async () => {
  const agency = await testAgency()
  const { db, sandbox } = agency

  it('names the run with each request and each call, and no token', async () => {
    const { lines, log } = testLog()
    const executor = openExecutor(agency, { effects: sandboxEffects(db, sandbox), log })
    const run = await agency.queue((await agency.report()).id)
    const claimed = await executor.claim('shared')
    if (!claimed) throw new Error('the run is already claimed')
    await executor.attempt(claimed, 'shared')
    expect(await agency.runRow(run)).toMatchObject({ status: 'completed' })
    const saying = (msg: string) => lines.filter(line => line.msg === msg)
    const requests = saying('platform request')
    const calls = saying('spreadsheet call')
    expect(requests.length).toBe((await agency.runRow(run)).platform_requests)
    for (const line of [...requests, ...calls]) expect(line).toMatchObject({ run, attempt: 1, level: DEBUG })
    expect(requests).toContainEqual(expect.objectContaining({ host: 'meta', status: 200 }))
    expect(calls).toContainEqual(expect.objectContaining({ call: 'batchUpdate', code: null }))
    expect(JSON.stringify(lines)).not.toMatch(/sandbox-agency|access_token|Bearer|ya29/)
  })
})
