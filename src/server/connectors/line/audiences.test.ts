import { beforeEach, describe, expect, it } from 'vitest'
import { audienceSourceOf, type AudienceOperations, type Target } from '#server/connectors/audience.ts'
import { batchOf, people, sendAll, targetOf, uploadOf } from '#server/connectors/testing/audience-upload.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { lineAudiences } from './audiences.ts'
import { error, fault, GROUP, NOW, taipei, tokyo } from './testing/sandbox.ts'

const LATER = '2026-11-21T04:02:00Z'
const connector = lineAudiences(null)

const sandbox = sandboxOfFile(NOW)
let now = NOW
const at = async (time: string) => {
  now = time
  await sandbox.setClock({ now: time, speed: 0 })
}
const opened = (key = 'sandbox-agency', by = connector) =>
  audienceSourceOf(by, { access_key: key, secret_key: key, group_ids: GROUP }).open({
    ...testContext(sandbox.base_url, NOW),
    now: () => new Date(now),
  })
let line: AudienceOperations
beforeEach(() => {
  now = NOW
  line = opened()
})

const email: Target['part'] = { part: 'email', columns: ['email'] }
const target = (changes: Partial<Target> = {}) => targetOf(taipei, email, changes)
const upload = uploadOf(NOW)
const made = (to: number) => sendAll(line, target(), { upload, lists: [people(0, to)] })
const changed = (before: Target, action: 'add' | 'replace', ...lists: ReturnType<typeof people>[]) =>
  sendAll(line, before, { upload: uploadOf(now, { session: 8, action, batches: lists.length }), lists })
const uploads = async () => (await sandbox.requests()).filter(each => each.path.endsWith('/upload')).length
const gone = { state: 'stopped', size: null, match: null, code: 'audience_gone', poll_after_ms: 0 }

describe('an audience list at LINE', () => {
  it('becomes an audience of e-mails', async () => {
    expect(connector.parts).toEqual([email])
    const done = await made(5000)
    expect(await line.poll(done)).toMatchObject({ state: 'matching', size: null, poll_after_ms: 30_000 })
    await at(LATER)
    expect(await line.poll(done)).toEqual({
      state: 'ready',
      size: '4000',
      match: null,
      code: null,
      poll_after_ms: 0,
    })
  })

  it('has the size in the words of LINE', async () => {
    const done = await made(120)
    await at(LATER)
    expect(await line.poll(done)).toMatchObject({ state: 'ready', size: '100 or fewer' })
  })

  it('sends phones in the form that was chosen, as an audience of their own', async () => {
    for (const [form, column] of [
      ['digits', 'phone'],
      ['e164', 'phone_e164'],
    ] as const) {
      const by = lineAudiences(form)
      const [, phone = email] = by.parts
      expect(phone).toEqual({ part: 'phone', columns: [column] })
      const operations = opened('sandbox-agency', by)
      const done = await sendAll(operations, targetOf(taipei, phone), { upload, lists: [people(0, 5000)] })
      await at(LATER)
      expect(await operations.poll(done)).toMatchObject({ size: '4000' })
      await operations.remove(done)
      await at(NOW)
    }
  })

  it('is made by its first batch and added to by the others', async () => {
    const lists = [people(0, 10, ['phone']), people(0, 2000), people(2000, 3000)]
    const done = await sendAll(line, target(), { upload: uploadOf(NOW, { batches: 3 }), lists })
    expect(await uploads()).toBe(2)
    await at('2026-11-21T04:05:00Z')
    expect(await line.poll(done)).toMatchObject({ state: 'ready', size: '2400' })
  })

  it('of people without e-mails makes nothing, and waits for nothing', async () => {
    const done = await sendAll(line, target(), { upload, lists: [people(0, 10, ['phone'])] })
    expect(done.external_id).toBeNull()
    expect(await line.poll(done)).toMatchObject({ state: 'ready', size: null })
  })
})

describe('an upload to an audience that is there', () => {
  it('adds to it', async () => {
    const done = await made(1000)
    await at(LATER)
    expect((await changed(done, 'add', people(900, 2000))).external_id).toBe(done.external_id)
    await at('2026-11-21T04:04:00Z')
    expect((await line.poll(done)).size).toBe('1600')
  })

  it('replaces it by its first file, and adds the others', async () => {
    const done = await made(5000)
    await at(LATER)
    // Person 4 has asked to be erased: the list is replaced by the rest.
    const { columns, rows } = people(0, 4999)
    await changed(
      done,
      'replace',
      { columns, rows: rows.filter((_, person) => person !== 4) },
      people(4999, 5000),
    )
    expect(await line.poll(done)).toMatchObject({ state: 'matching', size: '4000' })
    await at('2026-11-21T04:05:00Z')
    expect((await line.poll(done)).size).toBe('3999')
  })

  it('replaces it by nobody by deleting it', async () => {
    const done = await made(1000)
    const none = await changed(done, 'replace', people(0, 0))
    expect(none.external_id).toBeNull()
    expect(await line.poll(done)).toEqual(gone)
    expect((await changed(none, 'add', people(0, 10))).external_id).toMatch(/^\d+$/)
  })

  it('that somebody has deleted says that it is gone', async () => {
    const done = await made(1000)
    await line.remove(done)
    await expect(changed(done, 'add', people(0, 10))).rejects.toMatchObject({ code: 'audience_gone' })
  })

  it('may fail at LINE', async () => {
    await sandbox.setFaults([fault('upload_failed')])
    const done = await made(1000)
    await at(LATER)
    expect(await line.poll(done)).toMatchObject({ state: 'failed', code: 'platform_error' })
  })

  it('waits while three others of the account replace theirs', async () => {
    const four = []
    for (const tag of ['lta-1', 'lta-2', 'lta-3', 'lta-4']) {
      const { audience } = target()
      const own = target({ audience: { ...audience, tag } })
      four.push(await sendAll(line, own, { upload, lists: [people(0, 10)] }))
    }
    await at(LATER)
    const [first, second, third, fourth] = four.map(each => () => changed(each, 'replace', people(0, 20)))
    for (const replace of [first, second, third]) await replace?.()
    await expect(fourth?.()).rejects.toMatchObject({ code: 'quota_exhausted', retry_after_ms: 60_000 })
    await at('2026-11-21T04:04:00Z')
    expect((await fourth?.())?.external_id).toMatch(/^\d+$/)
  })
})

describe('a step that is repeated after a lost response', () => {
  const lose = () => sandbox.setFaults([fault('cut', { path: 'upload$', count: 1 })])
  const twice = async (before: Target, action: 'add' | 'replace', list = people(0, 2000)) => {
    const next = uploadOf(now, { session: 8, action })
    const begun: Target = { ...before, ...(await line.begin(before, next)) }
    await lose()
    await expect(line.send([begun], batchOf(next, 1, list))).rejects.toThrow('platform_unavailable')
    const [sent] = await line.send([begun], batchOf(next, 1, list))
    return { begun, sent, next }
  }

  it('finds the audience that the first one has made, by its name', async () => {
    const { begun, sent, next } = await twice(target(), 'add')
    expect(sent?.external_id).toMatch(/^\d+$/)
    await at(LATER)
    expect(await line.poll({ ...begun, ...sent })).toMatchObject({ state: 'ready', size: '1600' })
    const [again] = await line.send([{ ...begun, ...sent }], batchOf(next, 1, people(0, 2000)))
    expect(again?.progress).toEqual(sent?.progress)
    expect(await uploads()).toBe(2)
    expect((await line.begin({ ...begun, ...sent }, next)).progress).toEqual(sent?.progress)
  })

  it('adds nobody twice', async () => {
    const done = await made(1000)
    await at(LATER)
    const { begun } = await twice(done, 'add', people(1000, 2000))
    await at('2026-11-21T04:06:00Z')
    expect((await line.poll(begun)).size).toBe('1600')
  })

  it('replaces once', async () => {
    const done = await made(1000)
    await at(LATER)
    const { begun, sent } = await twice(done, 'replace')
    expect(sent?.external_id).toBe(done.external_id)
    expect(await uploads()).toBe(2)
    await at('2026-11-21T04:06:00Z')
    expect((await line.poll(begun)).size).toBe('1600')
  })
})

describe('removing', () => {
  it('deletes an audience, and what is gone already is no failure', async () => {
    const done = await made(1000)
    await line.remove(done)
    await line.remove(done)
    expect(await line.poll(done)).toEqual(gone)
  })

  it('deletes what a lost response has made', async () => {
    const done = await made(1000)
    await line.remove(target())
    expect(await line.poll(done)).toEqual(gone)
    await line.remove(target())
    expect((await sandbox.requests()).filter(({ method }) => method === 'DELETE').length).toBe(1)
  })
})

describe('what goes wrong', () => {
  it.each([
    [error('PARTNER_PERMISSION_DENIED', 403), 'role_missing'],
    [error('ACCOUNT_NOT_ALLOWED', 403), 'no_access'],
    [error('REMOVED_ENTITY'), 'account_inactive'],
    [error('INVALID_VALUE'), 'platform_error'],
    [error('LOCK_DEFAULT'), 'platform_unavailable'],
    [fault('unauthorized'), 'credential_expired'],
    [fault('rate_limit'), 'quota_exhausted'],
    [fault('server_error', { status: 503 }), 'platform_unavailable'],
  ])('%o is %s', async (armed, code) => {
    await sandbox.setFaults([armed])
    await expect(made(10)).rejects.toMatchObject({ code })
  })

  it('a check says which account grants no role, and a role that only reads is refused later', async () => {
    expect(await line.check(taipei)).toEqual({ result: 'ok', business: null, fix_url: null, message: null })
    expect(await line.check(tokyo)).toMatchObject({ result: 'role_missing', message: expect.any(String) })
    expect((await opened('sandbox-reporting').check(taipei)).result).toBe('role_missing')
    const reading = opened('sandbox-admin')
    expect((await reading.check(taipei)).result).toBe('ok')
    const sent = sendAll(reading, target(), { upload, lists: [people(0, 10)] })
    await expect(sent).rejects.toMatchObject({ code: 'role_missing' })
  })

  it('a clock that is wrong is set by that of LINE, for a form too', async () => {
    const late = audienceSourceOf(connector, {
      access_key: 'sandbox-agency',
      secret_key: 'sandbox-agency',
      group_ids: GROUP,
    }).open(testContext(sandbox.base_url, '2026-11-21T05:00:00Z'))
    const done = await sendAll(late, target(), { upload, lists: [people(0, 10)] })
    expect(done.external_id).toMatch(/^\d+$/)
  })

  it('no failure and no record of a request holds a hash', async () => {
    const [row = []] = people(0, 1, ['email']).rows
    await sandbox.setFaults([error('INVALID_FORMAT')])
    const failure = await made(10).catch((each: unknown) => each)
    expect(JSON.stringify([failure, String(failure), await sandbox.requests()])).not.toContain(row[0])
  })
})
