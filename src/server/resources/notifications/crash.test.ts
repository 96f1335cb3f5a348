import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { dyingWorkers } from '#server/resources/runs/testing/crash.ts'
import { everyPlatform } from '#server/resources/runs/testing/every-platform.ts'
import { mixedAgency } from '#server/resources/runs/testing/mixed-agency.ts'

const agency = await mixedAgency()
const { db, block } = agency
const dieAt = dyingWorkers(agency)

const LONG = process.env.LONG === '1'
const WELL = 'Aurora Cosmetics Taiwan'
const REVOKED = 'Fjord Travel Japan (access revoked)'
const set = (id: number, names: string[]) =>
  db
    .updateTable('report')
    .set({ channels: JSON.stringify(names.map(name => block([name]))) })
    .where('id', '=', id)
    .execute()
const noticesAbout = async (report: number) =>
  (
    await db.selectFrom('notification').select('kind').where('report', '=', report).orderBy('id').execute()
  ).map(notice => notice.kind)

describe('a worker that is killed', () => {
  it.each([
    ['ends in error', [WELL], [REVOKED], ['report_failed']],
    ['lacks the output of a channel', [WELL], [WELL, REVOKED], ['channels_lack_output']],
    ['is well again', [REVOKED], [WELL], ['report_failed', 'report_recovered']],
  ])(
    'at any step of a run that %s leaves each notification sent once',
    async (_, before, after, expected) => {
      const steps: string[] = []
      const { id: undisturbed } = await agency.report({ blocks: before.map(name => block([name])) })
      await agency.run(undisturbed, everyPlatform)
      await set(undisturbed, after)
      await agency.run(undisturbed, { ...everyPlatform, step: async step => void steps.push(step) })
      expect(steps.length).toBeGreaterThan(2)
      // Notifications are sent at a run's end: the steps before the last ones make no difference.
      const all = [...steps.entries()]
      for (const [index, step] of LONG ? all : all.slice(-3)) {
        const { id } = await agency.report({ blocks: before.map(name => block([name])) })
        await agency.run(id, everyPlatform)
        await set(id, after)
        const run_id = await agency.queue(id)
        expect(await dieAt(index + 1, { run_id, sheets_limits: {} }), step).toBe('SIGKILL')
        await sql`update run set lease_until = now() - interval '1 s' where id = ${run_id} and lease_until is not null`.execute(
          db,
        )
        const done = await agency.attempt(run_id, everyPlatform)
        expect(['completed', 'error'], step).toContain(done.status)
        expect(await noticesAbout(id), step).toEqual(expected)
      }
    },
  )
})
