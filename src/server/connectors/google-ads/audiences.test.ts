import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AudienceOperations, MemberRows, Target, Upload } from '#server/connectors/audience.ts'
import type { AccountRef } from '#server/connectors/connector.ts'
import { sandboxOfFile } from '#server/connectors/testing/sandbox.ts'
import { testContext } from '#server/connectors/testing/context.ts'
import { audienceSources } from '#server/connectors/all.ts'
import { googleAdsAudiences } from './audiences.ts'
import { GoogleAdsLogin } from './schema.ts'
import { batchOf, rowsOf, targetIn, uploadOf } from './testing/audiences.ts'
import { aurora, closed, direct, japan, login, NOW, takenBack } from './testing/sandbox.ts'

const sandbox = sandboxOfFile(NOW, { data_manager_filling_s: 0 })
const fjord: AccountRef = { ...aurora, external_id: '9203141507', currency: 'USD' }

const open = (changes: object = {}, now = NOW): AudienceOperations =>
  googleAdsAudiences.open({
    ...testContext(sandbox.base_url, now),
    login: GoogleAdsLogin.parse({ ...login, ...changes }),
  })
const later = (seconds: number) => new Date(Date.parse(NOW) + seconds * 1000).toISOString()
const add = (session = 1) => uploadOf('add', session, NOW)
const fault = (action: string, more: object = {}) =>
  sandbox.setFaults([{ platform: 'data_manager', action, ...more }])

/** An upload from its beginning to its end. */
async function uploaded(target: Target, rows: MemberRows, upload: Upload = add()): Promise<Target> {
  const begun = { ...target, ...(await open().begin(target, upload)) }
  const [sent] = await open().send([begun], batchOf(upload, rows))
  if (!sent) throw new Error('nothing sent')
  const { request_id: _, ...state } = sent
  return { ...begun, ...(await open().finish({ ...begun, ...state }, upload)) }
}

describe('the check of an account', () => {
  const resultIn = async (account: AccountRef, changes: object = {}) =>
    (await open(changes).check(account)).result

  it('asks Google without making anything', async () => {
    expect(await open().check(aurora)).toEqual({ result: 'ok', business: null, fix_url: null, message: null })
    expect(await resultIn(direct)).toBe('ok')
    expect(await resultIn({ ...aurora, via: '1110000002' }, { login_customer_id: '1110000001' })).toBe('ok')
    expect(await sandbox.countOf(/DELETE|PATCH/)).toBe(0)
  })

  it('says which account is not eligible, and which cannot be reached', async () => {
    expect(await open().check(fjord)).toMatchObject({
      result: 'not_eligible',
      fix_url: expect.stringContaining('https://ads.google.com/'),
      message: expect.stringContaining('[NOT_ALLOWLISTED]'),
    })
    expect(await resultIn(takenBack)).toBe('no_access')
    expect(await resultIn(closed)).toBe('no_access')
    expect(await resultIn({ ...aurora, external_id: '1/../2' })).toBe('no_access')
    expect(await resultIn(aurora, { refresh_token: 'sandbox-expired' })).toBe('credential_expired')
  })

  it.each([
    ['TERMS_AND_CONDITIONS_NOT_SIGNED', 403, 'terms_not_accepted'],
    ['EU_POLITICAL_ADVERTISING_DECLARATION_REQUIRED', 400, 'terms_not_accepted'],
    ['ADVERTISER_NOT_ALLOWLISTED_FOR_UPLOADED_DATA', 400, 'not_eligible'],
    ['USER_LIST_TYPE_NOT_SUPPORTED_FOR_ACCOUNT', 400, 'not_eligible'],
    ['ACCESS_TOKEN_SCOPE_INSUFFICIENT', 403, 'credential_expired'],
    ['DISPLAY_NAME_ALREADY_USED', 400, 'ok'],
  ])('takes %s for what it means', async (reason, status, result) => {
    await fault('error', { reason, status, method: 'POST' })
    expect(await resultIn(aurora)).toBe(result)
  })

  it('tells an account that may be read from one that may not', async () => {
    await fault('revoked', { method: 'POST' })
    expect(await resultIn(aurora)).toBe('read_only')
    await fault('server_error', { method: 'POST', status: 503 })
    await expect(resultIn(aurora)).rejects.toThrow('platform_unavailable')
  })
})

describe('a login', () => {
  it('of a service account asks for the scope of the API', async () => {
    const key = readFileSync(join(sandbox.folder, 'service-account.json'), 'utf8')
    const operations = googleAdsAudiences.open({
      ...testContext(sandbox.base_url, NOW),
      login: GoogleAdsLogin.parse({ service_account_key: key }),
      // What is signed is checked against the hour of the day, which no test stops.
      now: () => new Date(),
    })
    expect((await operations.check(aurora)).result).toBe('ok')
  })

  it('is read as it is stored, and opens what the connector can do', async () => {
    const source = audienceSources.google_ads?.(login, { line_phone_form: null })
    const operations = source?.open(testContext(sandbox.base_url, NOW))
    expect([source?.targets_at_once, await operations?.check(aurora)]).toMatchObject([10, { result: 'ok' }])
    expect(() => audienceSources.google_ads?.({}, { line_phone_form: null })).toThrow('client_id')
  })

  it('that was consented to less ends as scope_missing', async () => {
    await fault('error', { reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT', status: 403 })
    await expect(open().begin(targetIn(aurora), add())).rejects.toThrow('scope_missing')
    await fault('expired_token', { count: 1 })
    expect((await open().begin(targetIn(aurora), add())).external_id).toMatch(/^8/)
  })
})

describe('an upload', () => {
  it('makes a list, fills it, and finds the people whom Google knows', async () => {
    await sandbox.setLimits({ data_manager_filling_s: 60 })
    const target = await uploaded(targetIn(aurora), rowsOf(5000))
    expect(target.external_id).toMatch(/^8\d{9}$/)
    expect(await open().poll(target)).toMatchObject({ state: 'matching', size: null, poll_after_ms: 60_000 })
    await sandbox.setClock({ now: later(60), speed: 0 })
    expect(await open().poll(target)).toEqual({
      state: 'ready',
      size: '3000',
      match: '51_TO_60',
      code: null,
      poll_after_ms: 60_000,
    })
  })

  it('of 120 people is too small, and one of all consents denied fails', async () => {
    const small = await uploaded(targetIn(aurora), rowsOf(120))
    expect(await open().poll(small)).toMatchObject({ state: 'too_small', size: '72', match: '51_TO_60' })
    const consent = { ad_user_data: 'denied', ad_personalization: 'unknown' } as const
    const denied = await uploaded(targetIn(aurora, { tag: 'denied', name: 'Denied', consent }), rowsOf(120))
    expect(await open().poll(denied)).toMatchObject({ state: 'failed', code: 'consent_denied' })
    await fault('processing_failed')
    const failed = await uploaded(targetIn(aurora, { tag: 'failed', name: 'Failed' }), rowsOf(120))
    expect(await open().poll(failed)).toMatchObject({ state: 'failed', code: 'platform_error' })
  })

  it('of people whom Google does not know is matched for two days, and too small then', async () => {
    const { columns, rows } = rowsOf(10)
    const unknown = await uploaded(targetIn(aurora), { columns, rows: rows.slice(6) })
    expect(await open().poll(unknown)).toMatchObject({ state: 'matching', match: 'LESS_THAN_20' })
    expect(await open({}, later(3600)).poll(unknown)).toMatchObject({ poll_after_ms: 900_000 })
    expect(await open({}, later(48 * 3600)).poll(unknown)).toMatchObject({ state: 'too_small', size: '0' })
  })

  it('has the match rate of the whole list where its requests differ', async () => {
    const upload = { ...add(), batches: 2 }
    const begun = { ...targetIn(aurora), ...(await open().begin(targetIn(aurora), upload)) }
    const [first] = await open().send([begun], batchOf(upload, rowsOf(1000), 1))
    const [second] = await open().send(
      [{ ...begun, ...first }],
      batchOf(upload, rowsOf(3000, { from: 99_900 }), 2),
    )
    expect(await open().poll({ ...begun, ...second })).toMatchObject({ size: '660', match: 'LESS_THAN_20' })
  })

  it('goes to ten accounts in one request', async () => {
    const targets = []
    for (const account of [aurora, japan, direct])
      targets.push({ ...targetIn(account), ...(await open().begin(targetIn(account), add())) })
    const sent = await open().send(targets, batchOf(add(), rowsOf(500)))
    expect(new Set(sent.map(({ request_id: id }) => id)).size).toBe(1)
    expect(await sandbox.countOf(/audienceMembers:ingest/)).toBe(1)
    for (const [index, target] of targets.entries())
      expect(await open().poll({ ...target, ...sent[index] })).toMatchObject({ state: 'ready', size: '300' })
  })

  it('sends no rows without an e-mail or a phone, and Google’s own form of an e-mail where it differs', async () => {
    const target = { ...targetIn(aurora), ...(await open().begin(targetIn(aurora), add())) }
    const empty = { columns: ['first_name'] as const, rows: [['a'.repeat(64)]] }
    expect(await open().send([target], batchOf(add(), empty))).toEqual([
      { external_id: target.external_id, progress: target.progress, request_id: null },
    ])
    const { columns, rows } = rowsOf(200, { isMail: true })
    const swapped = rows.map(([mail = '']) => ['f'.repeat(64), mail, '', ''])
    const [sent] = await open().send([target], batchOf(add(), { columns, rows: swapped }))
    expect(await open().poll({ ...target, ...sent })).toMatchObject({ size: '120' })
  })

  it('takes people out one by one', async () => {
    const target = await uploaded(targetIn(aurora), rowsOf(500))
    const after = await uploaded(target, rowsOf(100), uploadOf('remove', 2, NOW))
    expect(await open().poll(after)).toMatchObject({ state: 'ready', size: '240' })
  })

  it('replaces: who is sent again stays, the others go', async () => {
    const target = await uploaded(targetIn(aurora), rowsOf(500))
    await sandbox.setClock({ now: later(10), speed: 0 })
    const replaced = await uploaded(target, rowsOf(300, { from: 400 }), uploadOf('replace', 2, later(10)))
    expect(await open().poll(replaced)).toMatchObject({ state: 'ready', size: '180' })
    expect(await sandbox.countOf(/audienceMembers:removeAll/)).toBe(1)
  })

  it('replaces what was there when it began by Google’s clock, not by ours', async () => {
    const target = await uploaded(targetIn(aurora), rowsOf(500))
    await sandbox.setClock({ now: later(10), speed: 0 })
    // Ours is an hour ahead: by it the new members would have been added before the replacement began.
    const replaced = await uploaded(target, rowsOf(300, { from: 400 }), uploadOf('replace', 2, later(3600)))
    expect(await open().poll(replaced)).toMatchObject({ size: '180' })
  })
})

describe('a step whose response was lost', () => {
  it('makes one list', async () => {
    await fault('cut', { method: 'POST', path: 'userLists', count: 1 })
    const first = await open().begin(targetIn(aurora), add())
    expect(await open().begin(targetIn(aurora), add())).toMatchObject({ external_id: first.external_id })
    await open().remove({ ...targetIn(aurora), ...first })
    expect(await open().begin(targetIn(aurora), add())).not.toMatchObject({ external_id: first.external_id })
  })

  it('adds no one twice, whether Google has it or not', async () => {
    await fault('cut', { path: 'ingest', count: 1 })
    const target = await uploaded(targetIn(aurora), rowsOf(500))
    expect(await open().poll(target)).toMatchObject({ size: '300' })
    const [again] = await open().send([target], batchOf(add(), rowsOf(500)))
    expect(await open().poll({ ...target, ...again })).toMatchObject({ state: 'ready', size: '300' })
  })

  it('replaces to the same end when it begins, sends or finishes again', async () => {
    const target = await uploaded(targetIn(aurora), rowsOf(500))
    const upload = { ...uploadOf('replace', 2, NOW), batches: 2 }
    await sandbox.setClock({ now: later(10), speed: 0 })
    const begun = { ...target, ...(await open().begin(target, upload)) }
    const [first] = await open().send([begun], batchOf(upload, rowsOf(100, { from: 450 }), 1))
    const half = { ...begun, ...first }
    await sandbox.setClock({ now: later(20), speed: 0 })
    const resumed = { ...half, ...(await open().begin(half, upload)) }
    expect(resumed.progress).toEqual(half.progress)
    const [second] = await open().send([resumed], batchOf(upload, rowsOf(100, { from: 550 }), 2))
    const sent = { ...resumed, ...second }
    await fault('cut', { path: 'removeAll', count: 1 })
    await open().finish(sent, upload)
    const done = { ...sent, ...(await open().finish(sent, upload)) }
    expect(await open().poll(done)).toMatchObject({ state: 'ready', size: '120' })
  })

  it('deletes what is gone already, and what it never learnt the number of', async () => {
    const { external_id: id } = await open().begin(targetIn(aurora), add())
    await open().remove(targetIn(aurora))
    await open().remove({ ...targetIn(aurora), external_id: id })
    expect(await open().poll({ ...targetIn(aurora), external_id: id })).toMatchObject({
      state: 'stopped',
      code: 'audience_gone',
    })
  })
})

describe('a list', () => {
  it('gets a number behind its name where another list has it', async () => {
    const names = []
    for (const tag of ['a', 'b', 'c']) {
      const target = targetIn(aurora, { tag })
      names.push((await open().begin(target, add())).external_id)
    }
    expect(new Set(names).size).toBe(3)
    await fault('error', { reason: 'DISPLAY_NAME_ALREADY_USED' })
    await expect(open().begin(targetIn(aurora, { tag: 'd' }), add())).rejects.toThrow('platform_error')
  })

  it('that was deleted at Google has stopped, and takes no upload', async () => {
    const target = await uploaded(targetIn(aurora), rowsOf(120))
    await open().remove(target)
    expect(await open().poll(target)).toMatchObject({ state: 'stopped', code: 'audience_gone' })
    await expect(open().begin(target, add(2))).rejects.toThrow('audience_gone')
    await expect(open().send([target], batchOf(add(2), rowsOf(1)))).rejects.toThrow('audience_gone')
  })

  it.each([
    ['SENSITIVE_USER_LIST_IMMUTABLE', 'audience_flagged'],
    ['OWNERSHIP_REQUIRED_FOR_UPDATE', 'audience_gone'],
    ['OPERATING_ACCOUNT_LOGIN_ACCOUNT_MISMATCH', 'no_access'],
    ['TERMS_AND_CONDITIONS_NOT_SIGNED', 'terms_not_accepted'],
    ['INVALID_SHA256_FORMAT', 'platform_error'],
    ['RESOURCE_EXHAUSTED', 'quota_exhausted'],
    ['INTERNAL_ERROR', 'platform_unavailable'],
    ['DEADLINE_EXCEEDED', 'platform_timeout'],
  ])('that Google refuses members of by %s ends as %s', async (reason, code) => {
    const target = { ...targetIn(aurora), ...(await open().begin(targetIn(aurora), add())) }
    await fault('error', { reason, path: 'ingest' })
    await expect(open().send([target], batchOf(add(), rowsOf(1)))).rejects.toThrow(code)
  })

  it('is not filled beyond the quota of a minute; the run waits', async () => {
    const target = { ...targetIn(aurora), ...(await open().begin(targetIn(aurora), add())) }
    await sandbox.setLimits({ data_manager_quota: { ingestion_per_minute: 1 } })
    await open().send([target], batchOf(add(), rowsOf(1)))
    await expect(open().send([target], batchOf(add(), rowsOf(1)))).rejects.toMatchObject({
      code: 'quota_exhausted',
      retry_after_ms: 60_000,
    })
  })
})

describe('people who want to be forgotten', () => {
  it('leave every customer file of the account, not only ours', async () => {
    const ours = await uploaded(targetIn(aurora), rowsOf(500))
    const other = await uploaded(targetIn(aurora, { tag: 'other', name: 'Other' }), rowsOf(400))
    expect(await open().erase?.(aurora, rowsOf(1, { from: 4 }))).toBe('done')
    expect(await open().poll(ours)).toMatchObject({ size: '299' })
    expect(await open().poll(other)).toMatchObject({ size: '239' })
    expect(await sandbox.countOf(/audienceMembers:remove$/)).toBe(1)
  })

  it('are nowhere in an account without customer files', async () => {
    expect(await open().erase?.(direct, rowsOf(1))).toBe('nothing_there')
  })
})

it('nothing that was sent stands in a refusal or in the log of requests', async () => {
  const target = { ...targetIn(aurora), ...(await open().begin(targetIn(aurora), add())) }
  const rows: MemberRows = { columns: ['email'], rows: [['mary@mail.demo'], ['b'.repeat(64)]] }
  const refusal = await open()
    .send([target], batchOf(add(), rows))
    .catch((error: unknown) => error)
  expect(refusal).toMatchObject({
    code: 'platform_error',
    platform_message: expect.stringContaining('user_identifiers[0].email_address'),
    platform_request_id: expect.any(String),
  })
  expect(String(refusal)).not.toMatch(/mary|[\da-f]{64}/)
  expect(JSON.stringify(await sandbox.requests())).not.toMatch(/mary|[\da-f]{64}/)
})
