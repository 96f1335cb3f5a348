import { describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { deleteOldUploadCounts, lockUsage, usedBytes } from './quota-queries.ts'
import { storageLimits, takeUpload, whyNoRoom } from './quota.ts'
import { insertBlobs, insertFile, insertImage } from './testing/materials.ts'

const { db } = await testDatabase()
const advertiser = async (name: string) =>
  (await db.insertInto('advertiser').values({ name }).returning('id').executeTakeFirstOrThrow()).id
const person = async (username: string) =>
  (
    await db
      .insertInto('users')
      .values({ username, identity: 'staff', user_type: 1, password_hash: null })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id
const GIB = 1024 ** 3

describe('the room for files', () => {
  it('is 2 GiB of each advertiser, to the byte, images and files together', async () => {
    const [aurora, borealis] = [await advertiser('Aurora'), await advertiser('Borealis')]
    const [sha256 = '', preview = ''] = await insertBlobs(db, 2)
    await insertImage(db, {
      sha256,
      preview_320: preview,
      preview_1280: preview,
      advertiser: aurora,
      size: GIB,
    })
    await insertFile(db, { sha256, advertiser: aurora, size: GIB - 100 })
    expect(await usedBytes(db, aurora)).toBe(2 * GIB - 100)
    expect(await whyNoRoom(db, { advertiser: aurora, size: 100 })).toBeNull()
    expect(await whyNoRoom(db, { advertiser: aurora, size: 101 })).toBe('quota_files')
    expect(await whyNoRoom(db, { advertiser: borealis, size: 2 * GIB })).toBeNull()
    expect(await whyNoRoom(db, { advertiser: borealis, size: 2 * GIB + 1 })).toBe('quota_files')
  })

  it('is 20 GiB of what is the agency’s own, whatever the advertisers have', async () => {
    const [sha256 = ''] = await insertBlobs(db, 1)
    await insertFile(db, { sha256, size: 19 * GIB })
    expect(await whyNoRoom(db, { advertiser: null, size: GIB })).toBeNull()
    expect(await whyNoRoom(db, { advertiser: null, size: GIB + 1 })).toBe('quota_files')
  })

  it('is given to one of two who want the last of it at once', async () => {
    const cedar = await advertiser('Cedar')
    const size = 2 * GIB - 100
    const upload = async (sha256: string) =>
      await db.transaction().execute(async trx => {
        await lockUsage(trx, cedar)
        const code = await whyNoRoom(trx, { advertiser: cedar, size })
        if (code === null) await insertFile(trx, { sha256, advertiser: cedar, size })
        return code
      })
    const outcomes = await Promise.all((await insertBlobs(db, 6)).map(upload))
    expect(outcomes.filter(code => code === null)).toHaveLength(1)
    expect(await usedBytes(db, cedar)).toBe(size)
  })
})

describe('the uploads of a person', () => {
  const now = new Date('2026-11-02T22:30:00Z')
  const take = (user_id: number, at = now) =>
    db.transaction().execute(trx => takeUpload(trx, { user_id, now: at }))
  const rows = (user_id: number) =>
    db
      .selectFrom('upload_count')
      .select(['day', 'count'])
      .where('user_id', '=', user_id)
      .orderBy('day')
      .execute()

  it('are 300 a day, and then none until it ends', async () => {
    const [ann, ben] = [await person('ann'), await person('ben')]
    await db
      .insertInto('upload_count')
      .values({ user_id: ann, day: '2026-11-02', count: storageLimits.uploads_a_day - 1 })
      .execute()
    expect(await take(ann)).toBeNull()
    expect(await take(ann)).toEqual({ retry_after_s: 90 * 60 })
    expect(await rows(ann)).toEqual([{ day: '2026-11-02', count: 300 }])
    expect(await take(ben)).toBeNull()
    expect(await take(ann, new Date('2026-11-03T00:00:00Z'))).toBeNull()
  })

  it('do not count when their transaction is undone', async () => {
    const eve = await person('eve')
    const refused = db.transaction().execute(async trx => {
      await takeUpload(trx, { user_id: eve, now })
      throw new Error('no room')
    })
    await expect(refused).rejects.toThrow('no room')
    expect(await rows(eve)).toEqual([])
  })

  it('are forgotten after two days', async () => {
    const flo = await person('flo')
    for (const day of ['01', '02', '03']) await take(flo, new Date(`2026-11-${day}T12:00:00Z`))
    await deleteOldUploadCounts(db, new Date('2026-11-03T01:00:00Z'))
    expect((await rows(flo)).map(({ day }) => day)).toEqual(['2026-11-02', '2026-11-03'])
  })
})
