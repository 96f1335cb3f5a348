import { expect, it } from 'vitest'
import { REFRESH_S } from './http/tokens.ts'
import { testApi } from './http/testing/api.ts'
import { cleanUp } from './cleanup.ts'

const api = await testApi()
const DAY_MS = 24 * 60 * 60_000
const after = (ms: number) => new Date(api.clock.now.getTime() + ms)

it('keeps what is still in use and deletes the rest', async () => {
  const { report, folder, delete: remove, get, user } = await api.signedIn('staff')
  const [live, deleted] = [await report(), await report()]
  const { id: folderId } = await folder()
  await remove(`/api/gs-template-setting/${deleted.id}/`)
  await remove(`/api/gs-template-folder/${folderId}/`)
  const count = async (table: 'report' | 'folder' | 'refresh_token' | 'refresh_family') => {
    const row = await api.db
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  }

  await cleanUp(api.db, after(REFRESH_S * 1000 - 1), { audit_days: 730 })
  expect([await count('report'), await count('folder'), await count('refresh_token')]).toEqual([2, 1, 1])
  expect((await get('/users/identity/')).status).toBe(200)

  await cleanUp(api.db, after(30 * DAY_MS + 1), { audit_days: 730 })
  expect([await count('report'), await count('folder')]).toEqual([1, 0])
  expect([await count('refresh_token'), await count('refresh_family')]).toEqual([0, 0])
  const { id } = await api.db
    .selectFrom('report')
    .select('id')
    .where('owner', '=', user.id)
    .executeTakeFirstOrThrow()
  expect(id).toBe(live.id)
})
