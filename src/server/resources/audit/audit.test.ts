import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { AuditList } from '#shared/api/audit.ts'
import { expectRefusal, testApi } from '#server/http/testing/api.ts'
import { cleanUp } from '#server/cleanup.ts'
import { deleteOldAudit, writeAudit, type AuditEntry } from './queries.ts'

const api = await testApi()
const superuser = await api.signedIn('superuser')
const other = await api.signedIn('staff', { full_name: 'Sam Huang' })
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute))
const write = (entry: Omit<AuditEntry, 'actor'> & { actor?: number }, minute: number) =>
  writeAudit(api.db, { actor: other.user.id, ...entry }, at(minute))

await write({ action: 'report.create', object: 'report', object_id: 7 }, 0)
await write({ action: 'report.delete', object: 'report', object_id: 7, detail: { name: 'x' } }, 1)
await write({ action: 'folder.delete', object: 'folder', object_id: 7 }, 2)
await write({ action: 'report.create', object: 'report', object_id: 8, actor: superuser.user.id }, 3)

const actionsOf = async (query: string) => {
  const { body } = await superuser.get(`/api/audit/?ordering=id&${query}`)
  return (body as z.infer<typeof AuditList>).results.map(entry => `${entry.action} ${entry.object_id}`)
}

describe('the trail', () => {
  it.each([
    ['action=report.create', ['report.create 7', 'report.create 8']],
    ['object=report&object_id=8', ['report.create 8']],
    ['object=report', ['report.create 7', 'report.delete 7', 'report.create 8']],
    [`actor=${other.user.id}&object=report`, ['report.create 7', 'report.delete 7']],
    [`from=${at(1).toISOString()}&to=${at(2).toISOString()}`, ['report.delete 7', 'folder.delete 7']],
    [`from=${at(4).toISOString()}`, []],
    ['search=report.', ['report.create 7', 'report.delete 7', 'report.create 8']],
    ['search=%25', []],
    ['limit=1&offset=1', ['report.delete 7']],
  ])('can be filtered: %s', async (query, expected) => {
    expect(await actionsOf(query)).toEqual(expected)
  })

  it('says who did what to which thing, and when', async () => {
    const { body } = await superuser.get('/api/audit/?action=report.delete')
    expect(body).toMatchObject({
      count: 1,
      results: [
        {
          at: at(1).toISOString(),
          actor: other.user.id,
          actor_name: 'Sam Huang',
          object: 'report',
          object_id: '7',
          detail: { name: 'x' },
        },
      ],
    })
  })

  it.each(['actor=x', 'from=yesterday', 'ordering=detail', 'who=1'])(
    'refuses an invalid filter: %s',
    async query => {
      expect((await superuser.get(`/api/audit/?${query}`)).status).toBe(400)
    },
  )

  it('is for superusers', async () => {
    expectRefusal(await other.get('/api/audit/'), 403, 'forbidden')
  })
})

describe('rows of the trail', () => {
  const old = new Date(Date.now() - 1000 * 24 * 60 * 60_000)
  const lines = async (action: string) =>
    (await api.db.selectFrom('audit').select('id').where('action', '=', action).execute()).length

  it('cannot be changed or removed by any statement of ours', async () => {
    const { db } = api
    await writeAudit(db, { actor: null, action: 'old.action' }, old)
    const refused = /neither changed nor removed/
    await expect(db.updateTable('audit').set({ action: 'x' }).execute()).rejects.toThrow(refused)
    await expect(db.deleteFrom('audit').execute()).rejects.toThrow(refused)
    await expect(db.deleteFrom('audit').where('action', '=', 'old.action').execute()).rejects.toThrow(refused)
    await expect(sql`truncate audit`.execute(db)).rejects.toThrow(refused)
    expect([await lines('old.action'), await lines('folder.delete')]).toEqual([1, 1])
  })

  it.each([0, 1, 89])('cannot be removed with a retention of %i days', async days => {
    await expect(deleteOldAudit(api.db, days, new Date())).rejects.toThrow(/neither changed nor removed/)
    expect(await lines('old.action')).toBe(1)
  })

  it('outlive a clock that has jumped ahead', async () => {
    const ahead = new Date(Date.now() + 10_000 * 24 * 60 * 60_000)
    expect(await deleteOldAudit(api.db, 1001, ahead)).toBe(0)
    expect(await lines('folder.delete')).toBe(1)
  })

  it('are removed when they are older than the retention, and no others', async () => {
    await cleanUp(api.db, new Date(), { audit_days: 1001 })
    expect(await lines('old.action')).toBe(1)
    await cleanUp(api.db, new Date(), { audit_days: 999 })
    expect([await lines('old.action'), await lines('folder.delete')]).toEqual([0, 1])
  })

  it('keep the name and the id of a person who was deleted', async () => {
    const { user } = await api.signedIn('staff', { full_name: 'Gone Person' })
    await writeAudit(api.db, { actor: user.id, action: 'gone.action' }, new Date())
    await api.db.deleteFrom('users').where('id', '=', user.id).execute()
    const { body } = await superuser.get('/api/audit/?action=gone.action')
    expect(body).toMatchObject({ results: [{ actor: user.id, actor_name: 'Gone Person' }] })
  })
})
