import { describe, expect, it } from 'vitest'
import type { Provider } from '#shared/platforms.ts'
import { TEST_NOW } from './testing/effects.ts'
import { everyPlatform } from './testing/every-platform.ts'
import { mixedAgency } from './testing/mixed-agency.ts'

const agency = await mixedAgency()
const { sandbox, found } = agency

/** Reports stay pending for eight polls, of which an attempt makes four. */
const slow = [
  { provider: 'ly_search', fault: { platform: 'ly_search', action: 'job_slow', looks: 8 } },
  { provider: 'yahoo_dsp', fault: { platform: 'yahoo_dsp', action: 'job_slow', looks: 8 } },
  { provider: 'line', fault: { platform: 'line', action: 'report_slow', looks: 8 } },
] as const

/** The outcome of a report whose blocks have filters that match nothing, and after how many attempts. */
async function runOf(
  provider: Provider,
  { fault, field }: { fault: object; field: 'campaign_name' | 'ad_group_name' },
) {
  await sandbox.reset(TEST_NOW, { keep_files: true })
  await sandbox.setFaults([fault])
  const [one, other] = found.filter(account => account.provider === provider)
  const blocks = [one, other, one].map((account, at) => ({
    channel: account?.channel ?? 'yg',
    label: null,
    accounts: [account?.id ?? 0],
    metrics: ['impressions'],
    on_error: 'leave_empty' as const,
    filters: [{ field, rule: 'EQUAL' as const, values: [`nothing ${at}`] }],
  }))
  const { id } = await agency.report({ blocks, dimensions: '["campaign"]' })
  const run_id = await agency.queue(id)
  let now_ms = Date.parse(TEST_NOW)
  const effects = { ...everyPlatform, now: () => new Date(now_ms) }
  let run = await agency.attempt(run_id, effects)
  let attempts = 1
  for (; run.status === 'queued' && attempts < 100; attempts++) {
    now_ms += 10_000
    await agency.resume(run_id)
    run = await agency.attempt(run_id, effects)
  }
  return { attempts, causes: run.blocks.map(({ empty_because }) => empty_because?.cause) }
}

describe('the reason why blocks have no rows', () => {
  it.each(slow)(
    'is known in few attempts where $provider prepares reports slowly, however many blocks need it',
    async ({ provider, fault }) => {
      const { attempts, causes } = await runOf(provider, { fault, field: 'campaign_name' })
      expect(causes).toEqual(['filter', 'filter', 'filter'])
      // Two rounds of the table's own reports; a third where two blocks share a result that the first of them
      // takes back.
      expect(attempts).toBeLessThan(25)
    },
  )

  it('is unknown where the reports for it fail', async () => {
    // The table's own three are prepared before.
    const { attempts, causes } = await runOf('line', {
      fault: { platform: 'line', action: 'report_failed', method: 'POST', skip: 3 },
      field: 'ad_group_name',
    })
    expect(causes).toEqual(['unknown', 'unknown', 'unknown'])
    expect(attempts).toBeLessThan(10)
  })
})
