import { beforeEach, describe, expect, it } from 'vitest'
import { audienceSourceOf, type AudienceOperations, type Target } from '#server/connectors/audience.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { batchOf, people, sendAll, targetOf, uploadOf } from '#server/connectors/testing/audience-upload.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { tiktokAudiences } from './audiences.ts'
import { account, aurora, deleted, error, fault, login, NOW, revoked } from './testing/sandbox.ts'

const LATER = '2026-11-20T04:01:00Z'
const fjord = account('7012345678901230036', 'JPY', 'Asia/Tokyo')
const borealis = account('7012345678901230033', 'USD', 'America/Los_Angeles')

const sandbox = sandboxOfFile(NOW)
let now = NOW
const at = async (time: string) => {
  now = time
  await sandbox.setClock({ now: time, speed: 0 })
}
let tiktok: AudienceOperations
beforeEach(() => {
  now = NOW
  tiktok = opened()
})
const opened = (access_token = login.access_token) =>
  audienceSourceOf(tiktokAudiences, { ...login, access_token }).open({
    ...testContext(sandbox.base_url, NOW),
    now: () => new Date(now),
  })
const [email, phone] = tiktokAudiences.parts as [Target['part'], Target['part']]
const target = (changes: Partial<Target> = {}) => targetOf(aurora, email, changes)
const upload = uploadOf(NOW)
const made = async (to: number, begun = upload) =>
  sendAll(tiktok, target(), { upload: begun, lists: [people(0, to)] })
const changed = async (before: Target, action: 'add' | 'remove' | 'replace', list = people(0, 2000)) => {
  const next = uploadOf(now, { session: 8, action })
  return await sendAll(tiktok, before, { upload: next, lists: [list] })
}
const calls = async (path: string) =>
  (await sandbox.requests()).filter(each => each.path.endsWith(path)).length

describe('an audience list at TikTok', () => {
  it('becomes an audience of e-mails and one of phones, in the forms that TikTok finds', async () => {
    const emails = await made(5000)
    const phones = await sendAll(tiktok, targetOf(aurora, phone), { upload, lists: [people(0, 5000)] })
    expect(emails.external_id).not.toBe(phones.external_id)
    expect(await tiktok.poll(emails)).toMatchObject({ state: 'matching', size: null, poll_after_ms: 30_000 })
    await at(LATER)
    for (const each of [emails, phones])
      expect(await tiktok.poll(each)).toEqual({
        state: 'ready',
        size: '2500',
        match: null,
        code: null,
        poll_after_ms: 0,
      })
  })

  it('is made of all its batches, and of those that have the identifier', async () => {
    const lists = [people(0, 2000), people(0, 10, ['phone']), people(2000, 5000)]
    const done = await sendAll(tiktok, target(), { upload: uploadOf(NOW, { batches: 3 }), lists })
    expect(await calls('file/upload/')).toBe(2)
    await at(LATER)
    expect(await tiktok.poll(done)).toMatchObject({ size: '2500' })
  })

  it('is too small with fewer than a thousand people', async () => {
    const done = await made(120)
    await at(LATER)
    expect(await tiktok.poll(done)).toMatchObject({ state: 'too_small', size: '60' })
  })

  it('is too small when nobody is found for two days', async () => {
    const done = await sendAll(tiktok, target(), {
      upload,
      lists: [{ columns: ['email'], rows: [['0'.repeat(64)]] }],
    })
    await at('2026-11-21T04:00:00Z')
    expect(await tiktok.poll(done)).toMatchObject({ state: 'matching', poll_after_ms: 1_800_000 })
    await at('2026-11-22T04:00:01Z')
    expect(await tiktok.poll(done)).toMatchObject({ state: 'too_small', size: null })
  })

  it('that has nobody with the identifier makes nothing, and waits for nothing', async () => {
    const done = await sendAll(tiktok, targetOf(aurora, phone), { upload, lists: [people(0, 10, ['email'])] })
    expect(done.external_id).toBeNull()
    expect(await tiktok.poll(done)).toMatchObject({ state: 'ready', size: null })
  })

  it('is kept for a year at most, counted from its creation', async () => {
    const done = await made(5000)
    await at('2027-11-20T03:59:59Z')
    expect((await tiktok.poll(done)).state).toBe('ready')
    await at('2027-11-20T04:00:00Z')
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
  })
})

describe('an upload to an audience that is there', () => {
  it('adds, removes and replaces', async () => {
    const done = await made(4000)
    await at(LATER)
    const more = await changed(done, 'add', people(3990, 5000))
    expect(more.external_id).toBe(done.external_id)
    await at('2026-11-20T04:02:00Z')
    expect((await tiktok.poll(more)).size).toBe('2500')
    await changed(more, 'remove', people(0, 10))
    await at('2026-11-20T04:03:00Z')
    expect((await tiktok.poll(more)).size).toBe('2495')
    await changed(more, 'replace', people(0, 2000))
    await at('2026-11-20T04:04:00Z')
    expect((await tiktok.poll(more)).size).toBe('1000')
  })

  it('replaces by few people with a new audience, since an update may not leave so few', async () => {
    const done = await made(4000)
    await at(LATER)
    const small = await changed(done, 'replace', people(0, 120))
    expect(small.external_id).not.toBe(done.external_id)
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped' })
    await at('2026-11-20T04:02:00Z')
    expect(await tiktok.poll(small)).toMatchObject({ state: 'too_small', size: '60' })
  })

  it('takes people out of an audience that gets too small by deleting it', async () => {
    const done = await made(2000)
    const dropped = await changed(done, 'remove', people(0, 1))
    expect(dropped).toMatchObject({ external_id: null })
    expect(await tiktok.poll(dropped)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
    await expect(changed(dropped, 'add')).rejects.toMatchObject({ code: 'audience_gone' })
    expect(await changed(dropped, 'remove')).toMatchObject(dropped)
    expect((await changed(dropped, 'replace')).external_id).toMatch(/^\d+$/)
  })

  it('replaces by nobody by deleting it', async () => {
    const done = await made(2000)
    const none = await changed(done, 'replace', people(0, 0))
    expect(none.external_id).toBeNull()
    expect(await tiktok.poll(none)).toMatchObject({ state: 'ready', size: null })
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped' })
  })

  it('to one that somebody has deleted makes it anew, or says that it is gone', async () => {
    const done = await made(2000)
    await tiktok.remove(done)
    await expect(changed(done, 'add')).rejects.toMatchObject({ code: 'audience_gone' })
    expect(await changed(done, 'remove')).toMatchObject({ external_id: null })
    const anew = await changed(done, 'replace')
    expect(anew.external_id).not.toBe(done.external_id)
  })

  it('waits five minutes while another replacement is under way', async () => {
    const done = await made(2000)
    await changed(done, 'replace')
    await at('2026-11-20T04:00:30Z')
    await expect(changed(done, 'replace')).rejects.toMatchObject({
      code: 'platform_unavailable',
      retry_after_ms: 300_000,
    })
    await at(LATER)
    expect(await changed(done, 'replace')).toMatchObject({ external_id: done.external_id })
  })
})

describe('a step that is repeated after a lost response', () => {
  const lose = (path: string) => sandbox.setFaults([fault('cut', { path, count: 1 })])

  it('finds the audience that the first call has made, by its name', async () => {
    let state: Target = { ...target(), ...(await tiktok.begin(target(), upload)) }
    const [sent] = await tiktok.send([state], batchOf(upload, 1, people(0, 5000)))
    state = { ...state, ...sent }
    await lose('create')
    await expect(tiktok.finish(state, upload)).rejects.toMatchObject({ code: 'platform_unavailable' })
    const done = await tiktok.finish(state, upload)
    expect(done.external_id).toMatch(/^\d+$/)
    expect(await calls('create/')).toBe(1)
    // Of another list, or of its phones, it is none.
    const phones = await sendAll(tiktok, targetOf(aurora, phone), { upload, lists: [people(0, 5000)] })
    expect(phones.external_id).not.toBe(done.external_id)
  })

  it('finds the one that was made instead of one too small', async () => {
    const done = await made(4000)
    await at(LATER)
    const next = uploadOf(now, { session: 8, action: 'replace' })
    const state: Target = { ...done, ...(await tiktok.begin(done, next)) }
    const [sent] = await tiktok.send([state], batchOf(next, 1, people(0, 120)))
    await lose('create')
    await expect(tiktok.finish({ ...state, ...sent }, next)).rejects.toThrow('platform_unavailable')
    const small = await tiktok.finish({ ...state, ...sent }, next)
    expect(await calls('create/')).toBe(2)
    expect(small.external_id).not.toBe(done.external_id)
  })

  it('changes an audience of an earlier upload that was given up, instead of making a second one', async () => {
    await made(5000)
    await at(LATER)
    const again = await sendAll(tiktok, target(), {
      upload: uploadOf(LATER, { session: 8 }),
      lists: [people(0, 3000)],
    })
    await at('2026-11-20T04:02:00Z')
    expect((await tiktok.poll(again)).size).toBe('1500')
    expect(await calls('create/')).toBe(1)
  })

  it('uploads a file again, and uses it once', async () => {
    await lose('file/upload')
    const done = await made(5000)
    await at(LATER)
    expect(await calls('file/upload/')).toBe(2)
    expect((await tiktok.poll(done)).size).toBe('2500')
  })

  it('uploads no file that has been taken', async () => {
    const begun: Target = { ...target(), ...(await tiktok.begin(target(), upload)) }
    const [sent] = await tiktok.send([begun], batchOf(upload, 1, people(0, 10)))
    const [again] = await tiktok.send([{ ...begun, ...sent }], batchOf(upload, 1, people(0, 10)))
    expect(again?.progress).toEqual(sent?.progress)
    expect(await calls('file/upload/')).toBe(1)
    expect((await tiktok.begin({ ...begun, ...sent }, upload)).progress).toEqual(sent?.progress)
  })

  it('knows its own replacement, which TikTok takes once', async () => {
    const done = await made(2000)
    await at(LATER)
    await lose('update')
    const replaced = await changed(done, 'replace', people(0, 3000))
    expect(await calls('update/')).toBe(2)
    await at('2026-11-20T04:02:00Z')
    expect((await tiktok.poll(replaced)).size).toBe('1500')
  })
})

describe('sharing', () => {
  it('is with accounts of the same business center, as the check says', async () => {
    const [here, there, elsewhere] = await Promise.all(
      [aurora, fjord, borealis].map(each => tiktok.check(each)),
    )
    expect(here).toMatchObject({ result: 'ok', business: '6900000000000000001' })
    expect(there?.business).toBe(here?.business)
    expect(elsewhere?.business).not.toBe(here?.business)
  })

  it('brings an audience to other accounts, ten at a time, and takes it back', async () => {
    const done = await made(5000)
    await tiktok.share?.(done, [fjord])
    await at(LATER)
    const received = { ...done, account: fjord }
    expect(await tiktok.poll(received)).toMatchObject({ state: 'ready', size: '2500' })
    await tiktok.unshare?.(done, fjord)
    expect(await tiktok.poll(received)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
    await sandbox.setFaults([])
    const many = Array.from({ length: 11 }, (_, id) =>
      account(`70123456789012300${id}`, 'TWD', 'Asia/Taipei'),
    )
    await expect(tiktok.share?.(done, many)).rejects.toMatchObject({ code: 'no_access' })
  })
})

describe('removing and renaming', () => {
  it('deletes an audience, and what is gone already is no failure', async () => {
    const done = await made(5000)
    await tiktok.remove(done)
    await tiktok.remove(done)
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
  })

  it('deletes what a lost response has made', async () => {
    const done = await made(5000)
    await tiktok.remove(target())
    expect(await tiktok.poll(done)).toMatchObject({ state: 'stopped' })
    await tiktok.remove(target())
  })
})

describe('what goes wrong', () => {
  it.each([
    [fault('expired_token'), 'credential_expired'],
    [
      error(40001, 'advertiser does not grant you /dmp/custom_audience/file/upload/:POST permission'),
      'no_access',
    ],
    [error(40300), 'account_inactive'],
    [error(40007), 'audience_gone'],
    [error(40002, 'file_paths: wrong'), 'platform_error'],
    [error(50000), 'platform_unavailable'],
    [fault('rate_limit', { window: 'minute' }), 'quota_exhausted'],
    [fault('server_error', { status: 503 }), 'platform_unavailable'],
  ])('%o is %s', async (armed, code) => {
    await sandbox.setFaults([armed])
    await expect(made(10)).rejects.toMatchObject({ code })
  })

  it.each([
    [revoked, undefined, 'no_access'],
    [deleted, undefined, 'account_inactive'],
    [aurora, 'sandbox-expired', 'credential_expired'],
  ])('a check says so instead: %o', async (of, token, result) => {
    expect(await opened(token).check(of)).toMatchObject({
      result,
      business: null,
      message: expect.any(String),
    })
  })

  it('a check that fails for a moment is no result', async () => {
    await sandbox.setFaults([error(50000)])
    await expect(tiktok.check(aurora)).rejects.toMatchObject({ code: 'platform_unavailable' })
  })

  it('no failure and no record of a request holds a hash', async () => {
    const [row = []] = people(0, 1, ['email']).rows
    await sandbox.setFaults([error(40002, 'create refused')])
    const failure = await made(10).catch((each: unknown) => each)
    expect(JSON.stringify([failure, String(failure), await sandbox.requests()])).not.toContain(row[0])
  })
})
