import { describe, expect, it } from 'vitest'
import { expectRefusal } from '#server/http/testing/api.ts'
import { cleanUp } from '#server/cleanup.ts'
import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import { batchOf, customerFile, LTA, readAudience, send } from './testing/members.ts'
import { sharesAtSandbox } from './testing/share-sandbox.ts'

const at = await sharesAtSandbox()
const { boss, advertiser, sandbox, db } = at
const LONG = process.env.LONG === '1'

const META = await at.account('meta', '10150357160960121')
const META_2 = await at.account('meta', '10150357160960122')
const DELTA = await at.account('meta', '10150622911041007')
const EMBER = await at.account('meta', '10150733820019008')
const GOOGLE = await at.account('google_ads', '4203141501', '1110000001')
const TIKTOK = await at.account('tiktok', '7012345678901230032')
const LINE = await at.account('line', 'A37000000037')

const people = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, n) => {
    const person = from + n
    const [email, phone, e164] = (['email', 'phone', 'phone_e164'] as const).map(form =>
      hashedIdentifier(person, form),
    )
    return [email ?? '', '', phone ?? '', e164 ?? '']
  })
const upload = async (audience: { id: number }, rows: string[][], more: object = {}) => {
  const response = await send(boss, audience, batchOf(rows, more))
  expect(response, JSON.stringify(response.body)).toMatchObject({ status: 200 })
}
async function list(to: number, from = 0) {
  const audience = await customerFile(boss, { advertiser })
  await upload(audience, people(from, to))
  return audience
}
const share = async (audience: { id: number }, accounts: number[]) =>
  (await boss.post(`${LTA}share-custom-audience/`, { audience: audience.id, ad_accounts: accounts })).body
/** By account: its state, and the size in the platform's words. */
const shares = async (audience: { id: number }, reader = boss) =>
  Object.fromEntries(
    (await readAudience(reader, audience)).shares.map(({ ad_account, state, size, code }) => [
      ad_account,
      code === null ? [state, size] : [state, size, code],
    ]),
  )

describe('people 0 to 4,999', () => {
  it('are as many at each platform as it knows', async () => {
    const audience = await list(5000)
    await share(audience, [META, GOOGLE, TIKTOK, LINE])
    await at.settle()
    expect(await shares(audience)).toEqual({
      [META]: ['ready', '3400–3600'],
      [GOOGLE]: ['ready', '3000'],
      [TIKTOK]: ['ready', '2500'],
      [LINE]: ['ready', '4000'],
    })
  })
})

describe('people 0 to 119', () => {
  it('are too few at each platform', async () => {
    const audience = await list(120)
    await share(audience, [META, TIKTOK, LINE])
    await at.settle()
    const found = await shares(audience)
    expect([found[META]?.[0], found[TIKTOK]?.[0], found[LINE]?.[1]]).toEqual([
      'too_small',
      'too_small',
      '100 or fewer',
    ])
  })
})

describe('a long list', () => {
  // As many calls as the real thing has would take a minute.
  const [batches, cutAt] = LONG ? [100, 57] : [4, 3]

  it(`of ${batches} batches that is cut at call ${cutAt} goes on there`, async () => {
    const audience = await customerFile(boss, { advertiser })
    const { session } = batchOf([])
    for (let seq = 1; seq <= batches; seq += 1)
      await upload(audience, people((seq - 1) * 10_000, seq * 10_000), {
        session,
        seq,
        last: seq === batches,
      })
    await sandbox.setFaults([
      { platform: 'meta', path: 'users$', method: 'POST', action: 'cut', skip: cutAt - 1, count: 1 },
    ])
    const before = [await sandbox.countOf(/POST .*\/users$/), await sandbox.countOf(/audienceMembers:ingest/)]
    await share(audience, [META, GOOGLE])
    await at.settle()
    await sandbox.setFaults([])
    const after = [await sandbox.countOf(/POST .*\/users$/), await sandbox.countOf(/audienceMembers:ingest/)]
    // The response to one was lost.
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([batches + 1, batches])
    expect(await shares(audience)).toMatchObject({
      [META]: ['ready', expect.anything()],
      [GOOGLE]: ['ready', expect.anything()],
    })
  })
})

describe('an account', () => {
  it('whose business has not accepted the terms fails, and is ready once it has', async () => {
    const audience = await list(5000)
    expect(await share(audience, [DELTA])).toEqual({
      shares: [{ ad_account: DELTA, result: 'terms_not_accepted' }],
    })
    await db
      .insertInto('audience_share')
      .values({
        audience: audience.id,
        ad_account: DELTA,
        mode: 'copy',
        state: 'queued',
        next_at: at.clock.now,
        created_at: at.clock.now,
        last_modified_at: at.clock.now,
      })
      .execute()
    await at.settle()
    expect(await shares(audience)).toMatchObject({ [DELTA]: ['failed', null, 'terms_not_accepted'] })
    const terms = { method: 'PUT', body: JSON.stringify({ account: '10150622911041007' }) }
    expect((await fetch(`${sandbox.base_url}/control/terms`, terms)).status).toBe(200)
    const [{ id = 0 } = {}] = (await readAudience(boss, audience)).shares
    expect((await boss.post(`${LTA}${audience.id}/shares/${id}/retry/`)).status).toBe(202)
    await at.settle()
    expect(await shares(audience)).toMatchObject({ [DELTA]: ['ready', '3400–3600'] })
  })

  it('that no business has claimed is refused', async () => {
    const { body } = await boss.get(`${LTA}check-ad-account-permission/?ad_account=${EMBER}`)
    expect(body).toMatchObject({ result: 'not_claimed_by_business', mode: null })
  })
})

describe('two accounts of one business', () => {
  it('have one upload and one call that shares it', async () => {
    const audience = await list(5000)
    const counts = async () => [
      await sandbox.countOf(/POST .*\/users$/),
      await sandbox.countOf(/POST .*\/adaccounts$/),
    ]
    const before = await counts()
    await share(audience, [META, META_2])
    await at.settle()
    const modes = (await readAudience(boss, audience)).shares.map(({ mode }) => mode)
    expect(modes).toEqual(['home', 'shared'])
    expect((await counts()).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1])
    expect(await shares(audience)).toMatchObject({
      [META]: ['ready', '3400–3600'],
      [META_2]: ['ready', '3400–3600'],
    })
  })
})

describe('a person who is erased', () => {
  // In no other list here: a person who is erased once stays out of all later ones.
  const FIRST = 50_000

  it('is taken out of every list at every platform, and not stored again', async () => {
    const audience = await list(FIRST + 5000, FIRST)
    await share(audience, [META, GOOGLE, TIKTOK, LINE])
    await at.settle()
    const [row = []] = people(FIRST + 4, FIRST + 5)
    const body = { advertiser, columns: ['email'], rows: [[row[0]]] }
    const { erasure } = (await boss.post(`${LTA}erase/`, body)).body as { erasure: number }
    await at.moveTo(at.clock.now.getTime() + 60_000)
    await at.settle()
    const { body: outcome } = await boss.get(`${LTA}erase/${erasure}/`)
    expect(outcome).toMatchObject({ finished_at: expect.any(String) })
    const outcomes = (outcome as { accounts: { ad_account: number; outcome: string }[] }).accounts
    for (const account of [META, GOOGLE, TIKTOK, LINE])
      expect(outcomes.find(each => each.ad_account === account)).toMatchObject({ outcome: 'done' })
    expect((await readAudience(boss, audience)).rows).toBe(4999)
    const again = await customerFile(boss, { advertiser })
    const response = await send(boss, again, batchOf(people(FIRST, FIRST + 5000)))
    expect(response.body).toMatchObject({ rows: 5000, stored: 4999 })
  })
})

describe('day 31', () => {
  it('leaves no row with us, the shares as they are, and no further sharing', async () => {
    const audience = await list(5000)
    await share(audience, [LINE])
    await at.settle()
    // Without whom another test has erased.
    const before = await shares(audience)
    expect(before).toMatchObject({ [LINE]: ['ready', expect.stringMatching(/^(3999|4000)$/)] })
    await at.moveTo(at.clock.now.getTime() + 31 * 24 * 3600_000)
    await cleanUp(db, at.clock.now, { audit_days: 365 })
    const chunks = db.selectFrom('audience_chunk').select('id').where('audience', '=', audience.id)
    expect(await chunks.execute()).toEqual([])
    await at.settle({ within_ms: 60_000 })
    // The session of the one before has ended.
    const reader = await at.signedIn('superuser')
    expect(await shares(audience, reader)).toEqual(before)
    const response = await reader.post(`${LTA}share-custom-audience/`, {
      audience: audience.id,
      ad_accounts: [META],
    })
    expectRefusal(response, 409, 'members_expired')
  })
})
