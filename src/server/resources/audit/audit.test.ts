import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { AuditList } from '#shared/api/audit.ts'
import { expectRefusal, testApi } from '#server/http/testing.ts'
import { writeAudit, type Deed } from './queries.ts'

const api = await testApi()
const superuser = await api.signedIn('superuser')
const other = await api.signedIn('staff', { full_name: 'Sam Huang' })
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 1, minute))
const write = (deed: Omit<Deed, 'actor'> & { actor?: number }, minute: number) =>
  writeAudit(api.db, { actor: other.user.id, ...deed }, at(minute))

await write({ action: 'report.create', object: 'report', object_id: 7 }, 0)
await write({ action: 'report.delete', object: 'report', object_id: 7, detail: { name: 'x' } }, 1)
await write({ action: 'folder.delete', object: 'folder', object_id: 7 }, 2)
await write({ action: 'report.create', object: 'report', object_id: 8, actor: superuser.user.id }, 3)

const deeds = async (query: string) => {
  const { body } = await superuser.get(`/api/audit/?ordering=id&${query}`)
  return (body as z.infer<typeof AuditList>).results.map(entry => `${entry.action} ${entry.object_id}`)
}

describe('the trail', () => {
  it.each([
    ['action=report.create', ['report.create 7', 'report.create 8']],
    ['object=report', ['report.create 7', 'report.delete 7', 'report.create 8']],
    [`actor=${other.user.id}&object=report`, ['report.create 7', 'report.delete 7']],
    [`from=${at(1).toISOString()}&to=${at(2).toISOString()}`, ['report.delete 7', 'folder.delete 7']],
    [`from=${at(4).toISOString()}`, []],
    ['search=report.', ['report.create 7', 'report.delete 7', 'report.create 8']],
    ['search=%25', []],
    ['limit=1&offset=1', ['report.delete 7']],
  ])('can be filtered: %s', async (query, expected) => {
    expect(await deeds(query)).toEqual(expected)
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
    'refuses what makes no sense: %s',
    async query => {
      expect((await superuser.get(`/api/audit/?${query}`)).status).toBe(400)
    },
  )

  it('is for superusers', async () => {
    expectRefusal(await other.get('/api/audit/'), 403, 'forbidden')
  })
})
