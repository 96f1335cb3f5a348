import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BlockOutcome } from '#shared/api/executions.ts'
import { testApi } from '#server/http/testing/api.ts'
import { reportIn, REPORTS } from './testing/requests.ts'

const api = await testApi()
const matching = { matches: true, differences: [] }
const differing = { matches: false, differences: [{ metric: 'cost', table: 1, platform: 2 }] }

/** The last run of a report, as the list shows it, after this outcome of its blocks. */
async function lastRun(blocks: Partial<BlockOutcome>[], partial = false) {
  const client = await api.signedIn('staff')
  const { id } = await client.report()
  await api.db
    .insertInto('run')
    .values({
      id: randomUUID(),
      report: id,
      owner: client.user.id,
      trigger: 'click',
      status: 'completed',
      finished_at: new Date(),
      rows: 3,
      partial,
      blocks: JSON.stringify(
        blocks.map(block => ({
          channel: 'fb',
          label: 'Meta ads',
          status: 'ok',
          rows: 3,
          code: null,
          ...block,
        })),
      ),
    })
    .execute()
  return reportIn(await client.get(`${REPORTS}${id}/`)).last_run
}

describe('the last run of a report', () => {
  it('is verified when every block is equal to the platform’s totals', async () => {
    expect(await lastRun([{ proof: matching }, { proof: matching }])).toMatchObject({
      status: 'completed',
      rows: 3,
      partial: false,
      proof: 'matches',
    })
  })

  it('differs when one block does', async () => {
    expect(await lastRun([{ proof: matching }, { proof: differing }])).toMatchObject({ proof: 'differs' })
  })

  it('has no result when a block could not be compared, or is from before reconciliation', async () => {
    expect(await lastRun([{ proof: matching }, { proof: null }])).toMatchObject({ proof: null })
    expect(await lastRun([{}])).toMatchObject({ proof: null })
    expect(await lastRun([])).toMatchObject({ proof: null })
  })

  it('says that a channel lacked output', async () => {
    expect(await lastRun([{ status: 'no_data' }, {}], true)).toMatchObject({ partial: true })
  })
})
