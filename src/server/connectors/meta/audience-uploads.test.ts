import { beforeEach, describe, expect, it } from 'vitest'
import { UploadLost } from '#server/connectors/audience.ts'
import { batchOf, delta, metaAudiencesOfFile, MINUTE, people, targetOf } from './testing/audiences.ts'

const meta = metaAudiencesOfFile()
const { of, sandbox, upload, uploadOf, wait } = meta
beforeEach(meta.start)

const fault = (action: string, more: object = {}) => ({ platform: 'meta', action, count: 1, ...more })
const sizeOf = async (target: Parameters<typeof of.poll>[0]) => {
  await wait(MINUTE)
  const { state, size } = await of.poll(target)
  return [state, size]
}
const uploads = async () => {
  const requests: { path: string; status: number; counts?: object }[] = await sandbox.requests()
  return requests.filter(({ path }) => /\/users(replace)?$/.test(path))
}

describe('an upload to Meta', () => {
  it('makes an audience, and fills it with the people Meta knows', async () => {
    const target = await upload(targetOf(), uploadOf({ rows: 5000 }), [people(5000)])
    const matching = { state: 'matching', code: null, poll_after_ms: 30_000 }
    expect(await of.poll(target)).toMatchObject(matching)
    expect(await sizeOf(target)).toEqual(['ready', '3400–3600'])
    expect((await uploads()).map(({ counts }) => counts)).toEqual([{ rows: 5000, columns: 10, batch: 1 }])
  })

  it('of 120 people is too small', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(120)])
    expect(await sizeOf(target)).toEqual(['too_small', '0–100'])
  })

  it('finds by its tag the audience that a lost response has made', async () => {
    const target = targetOf()
    await sandbox.setFaults([fault('cut', { path: 'customaudiences$', method: 'POST' })])
    const started = uploadOf()
    await expect(of.begin(target, started)).rejects.toMatchObject({ code: 'platform_unavailable' })
    // Its name may have been changed meanwhile.
    target.audience.name = 'Aurora VIP 2027'
    const { external_id } = await of.begin(target, started)
    expect(await sandbox.countOf(/POST .*customaudiences/)).toBe(1)
    const other = await of.begin(targetOf(), started)
    expect(other.external_id).not.toBe(external_id)
    expect(await of.begin({ ...target, external_id }, started)).toEqual(
      await of.begin({ ...target, external_id }, started),
    )
  })

  it.each(['add', 'replace'] as const)('takes a batch again whose response was lost: %s', async action => {
    const target = await upload(targetOf(), uploadOf(), [people(100)])
    await wait(MINUTE)
    for (const skip of [0, 1, 2]) {
      await sandbox.setFaults([fault('cut', { path: '/users(replace)?$', skip })])
      const batches = [people(1000), people(2000, 1000), people(3000, 2000)]
      await upload(target, uploadOf({ action, batches: 3 }), batches)
      expect(await sizeOf(target)).toEqual(['ready', '2000–2200'])
    }
  })

  it('takes a batch again that the job repeats with what it had stored before', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(100)])
    await wait(MINUTE)
    const changed = uploadOf({ action: 'replace', batches: 2 })
    const begun = { ...target, ...(await of.begin(target, changed)) }
    const send = async (from: typeof begun, list: readonly number[], at: number) => {
      const [sent] = await of.send([from], batchOf(changed, list, { at, of: 2 }))
      return { ...from, ...sent }
    }
    await send(begun, people(1000), 0)
    const first = await send(begun, people(1000), 0)
    await send(first, people(2000, 1000), 1)
    await send(first, people(2000, 1000), 1)
    expect(await sizeOf(target)).toEqual(['ready', '1300–1500'])
  })

  it('adds, removes and replaces', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(1000)])
    await upload(target, uploadOf({ action: 'remove' }), [people(500)])
    expect(await sizeOf(target)).toEqual(['ready', '300–400'])
    await upload(target, uploadOf({ action: 'replace' }), [people(3000)])
    expect(await of.poll(target)).toMatchObject({ state: 'matching' })
    expect(await sizeOf(target)).toEqual(['ready', '2000–2200'])
  })

  it('sends no row without an identifier, and no batch without rows', async () => {
    const target = targetOf()
    const started = uploadOf()
    const begun = { ...target, ...(await of.begin(target, started)) }
    const bare = {
      ...batchOf(started, []),
      chunks: (async function* () {
        yield { columns: ['email_google' as const], rows: [['0'.repeat(64)]] }
      })(),
    }
    expect(await of.send([begun], bare)).toMatchObject([{ progress: begun.progress }])
    expect(await uploads()).toEqual([])
  })

  it('goes on in another session once the first has lasted too long', async () => {
    const target = targetOf()
    const started = uploadOf({ batches: 3 })
    let now = { ...target, ...(await of.begin(target, started)) }
    for (const at of [0, 1, 2]) {
      const [sent] = await of.send([now], batchOf(started, people(1000 * (at + 1)), { at, of: 3 }))
      now = { ...now, ...sent }
      await wait(at === 0 ? 95 * MINUTE : MINUTE)
    }
    expect((await uploads()).map(({ counts }) => counts)).toMatchObject([
      { batch: 1 },
      { batch: 1 },
      { batch: 2 },
    ])
    expect(await sizeOf(now)).toEqual(['ready', '2000–2200'])
  })

  it('notices a batch that was dropped in silence', async () => {
    const target = targetOf()
    const started = uploadOf({ batches: 2 })
    const begun = { ...target, ...(await of.begin(target, started)) }
    const [first] = await of.send([begun], batchOf(started, people(1000), { at: 0, of: 2 }))
    // The clock of Meta is not ours.
    await sandbox.setClock({ now: '2026-11-21T06:00:00Z', speed: 0 })
    await of.send([{ ...begun, ...first }], batchOf(started, people(2000, 1000), { at: 1, of: 2 }))
    await wait(24 * 60 * MINUTE)
    expect((await of.poll(begun)).size).toBe('1300–1500')
  })
})

describe('a replacement', () => {
  it('waits for the one before it', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(1000)])
    const waiting = { code: 'platform_unavailable', retry_after_ms: 5 * MINUTE }
    await expect(of.begin(target, uploadOf({ action: 'replace' }))).rejects.toMatchObject(waiting)
    await wait(MINUTE)
    const [one, two] = [uploadOf({ action: 'replace' }), uploadOf({ action: 'replace' })]
    const first = { ...target, ...(await of.begin(target, one)) }
    const second = { ...target, ...(await of.begin(target, two)) }
    await of.send([first], batchOf(one, people(2000), { of: 2 }))
    await expect(of.send([second], batchOf(two, people(10)))).rejects.toMatchObject(waiting)
    await expect(of.send([target], batchOf(one, people(10)))).rejects.toMatchObject(waiting)
  })

  it('that has lasted for 90 minutes ends, and the rest is added', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(100)])
    await wait(MINUTE)
    const changed = uploadOf({ action: 'replace', batches: 3 })
    let now = { ...target, ...(await of.begin(target, changed)) }
    const send = async (list: readonly number[], at: number) => {
      const [sent] = await of.send([now], batchOf(changed, list, { at, of: 3 }))
      now = { ...now, ...sent }
    }
    await send(people(1000, 0), 0)
    await wait(90 * MINUTE)
    await expect(send(people(2000, 1000), 1)).rejects.toMatchObject({ retry_after_ms: 5 * MINUTE })
    await wait(MINUTE)
    await send(people(2000, 1000), 1)
    await send(people(3000, 2000), 2)
    expect(now.progress).toMatchObject({ mode: 'rest', seq: 2 })
    expect(await sizeOf(now)).toEqual(['ready', '2000–2200'])
  })

  it('of which Meta has not seen the first batch begins again', async () => {
    const target = await upload(targetOf(), uploadOf(), [people(100)])
    await wait(MINUTE)
    const changed = uploadOf({ action: 'replace', batches: 2 })
    const begun = { ...target, ...(await of.begin(target, changed)) }
    const progress = { ...begun.progress, seq: 1 }
    const lost = of.send([{ ...begun, progress }], batchOf(changed, people(10), { at: 1, of: 2 }))
    await expect(lost).rejects.toBeInstanceOf(UploadLost)
    await upload({ ...target, progress: {} }, changed, [people(1000), people(2000)])
    expect(await sizeOf(target)).toEqual(['ready', '1300–1500'])
  })

  it('of an audience that is new is an addition', async () => {
    const target = await upload(targetOf(), uploadOf({ action: 'replace' }), [people(1000)])
    expect(target.progress).toMatchObject({ mode: 'add' })
    expect(await sizeOf(target)).toEqual(['ready', '600–800'])
  })
})

describe('what Meta refuses', () => {
  it('is named: terms, flags, what is gone, quotas', async () => {
    const begin = (changes: Parameters<typeof targetOf>[0]) => of.begin(targetOf(changes), uploadOf())
    await expect(begin({ account: delta })).rejects.toMatchObject({ code: 'terms_not_accepted' })
    const target = targetOf()
    target.audience.name = 'Arthritis'
    const flagged = await upload(target, uploadOf(), [people(1000)])
    await wait(MINUTE)
    await expect(upload(flagged, uploadOf(), [people(10)])).rejects.toMatchObject({
      code: 'audience_flagged',
    })
    const gone = targetOf({ external_id: '23850001000000999' })
    await expect(upload(gone, uploadOf(), [people(10)])).rejects.toMatchObject({ code: 'audience_gone' })
    const full = await upload(targetOf(), uploadOf(), [people(10)])
    await sandbox.setFaults([fault('rate_limit', { code: 80003 })])
    await expect(upload(full, uploadOf(), [people(10)])).rejects.toMatchObject({ code: 'quota_exhausted' })
    await sandbox.setFaults([fault('expired_token')])
    await expect(upload(full, uploadOf(), [people(10)])).rejects.toMatchObject({ code: 'credential_expired' })
  })

  it('is reported without the hashes that it may repeat', async () => {
    const hash = 'ab'.repeat(32)
    const target = await upload(targetOf(), uploadOf(), [people(10)])
    await sandbox.setFaults([fault('error', { code: 105, message: `Too many: ${hash}` })])
    await expect(upload(target, uploadOf(), [people(10)])).rejects.toMatchObject({
      code: 'platform_error',
      platform_message: 'Too many: … [105]',
    })
  })
})
