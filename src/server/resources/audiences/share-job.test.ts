import { afterEach, describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { fakePlatform, type FakePlatform } from './testing/share-platform.ts'
import { shareRig } from './testing/share-rig.ts'

const rig = await shareRig()
const { clock } = rig
const DAY = 24 * 3600_000

/** An audience of three chunks and a share of it in an account of its own. */
async function shared(chunks: string[][] = [['a', 'b'], ['c'], ['d']], more: object = {}) {
  const audience = await rig.audience(more)
  await rig.upload(audience, chunks)
  const account = await rig.account('account')
  return { audience, account, share: await rig.share(audience, account.id) }
}

/** Nothing is left for the next test. */
afterEach(() => rig.db.updateTable('audience_share').set({ next_at: null }).execute())

describe('a share', () => {
  it('brings the whole list to a new account, batch by batch, and is ready once it has matched', async () => {
    const platform = fakePlatform()
    const { account, share } = await shared()
    await rig.settle(platform.source)
    expect(platform.names()).toEqual(['begin', 'send', 'send', 'send', 'finish', 'poll'])
    const sent = platform.calls.filter(({ name }) => name === 'send')
    expect(sent.map(({ index, is_last, rows }) => [index, is_last, rows])).toEqual([
      [1, false, 2],
      [2, false, 1],
      [3, true, 1],
    ])
    expect(new Set(sent.map(({ session }) => session)).size).toBe(1)
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c', 'd']])
    expect(await rig.read(share)).toMatchObject({
      state: 'ready',
      size: '4',
      task: null,
      code: null,
      claim: null,
    })
  })

  it('polls while it matches, then once a day', async () => {
    const platform = fakePlatform()
    let polls = 0
    platform.faults.poll = () => ({ state: polls++ < 3 ? 'matching' : 'too_small', poll_after_ms: 60_000 })
    const { share } = await shared()
    const began = clock.now
    await rig.settle(platform.source)
    expect(clock.now - began).toBe(3 * 60_000)
    const row = await rig.read(share)
    expect(row.state).toBe('too_small')
    expect(row.next_at?.getTime()).toBe(clock.now + DAY)
  })
})

describe('a platform that does not take it', () => {
  it('has the share fail with its code and words, and a retry goes on with the batch that was not taken', async () => {
    const platform = fakePlatform()
    platform.faults.before = ({ name, index }) => {
      if (name === 'send' && index === 2)
        throw new PlatformFailure('terms_not_accepted', {
          platform_message: 'Accept the terms.',
          platform_request_id: 'r1',
        })
    }
    const { account, share } = await shared()
    await rig.settle(platform.source)
    expect(await rig.read(share)).toMatchObject({
      state: 'failed',
      code: 'terms_not_accepted',
      message: 'Accept the terms.',
      request_id: 'r1',
      next_at: null,
    })
    platform.faults.before = () => {}
    const before = platform.calls.length
    await rig.change(share, { state: 'queued', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    const sent = platform.calls.slice(before).filter(({ name }) => name === 'send')
    expect(sent.map(({ index }) => index)).toEqual([2, 3])
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c', 'd']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready', code: null })
  })

  it('because a quota is used up is asked again when it says', async () => {
    const platform = fakePlatform()
    let refused = false
    platform.faults.before = ({ name }) => {
      if (name !== 'send' || refused) return
      refused = true
      throw new PlatformFailure('quota_exhausted', { retry_after_ms: 40 * 60_000 })
    }
    const { share } = await shared()
    const began = clock.now
    await rig.settle(platform.source)
    expect(clock.now - began).toBe(40 * 60_000)
    expect(await rig.read(share)).toMatchObject({ state: 'ready', failures: 0, code: null })
  })
})

describe('later uploads', () => {
  const ready = async (platform = fakePlatform()) => {
    const made = await shared()
    await rig.settle(platform.source)
    return { platform, ...made }
  }
  const sent = ({ calls }: FakePlatform) =>
    calls.filter(({ name }) => name === 'send').map(({ action, rows }) => [action, rows])

  it('follow in their order, each as it is', async () => {
    const { platform, audience, account, share } = await ready()
    await rig.upload(audience, [['e']])
    await rig.upload(audience, [['a'], ['b']], { action: 'remove' })
    await rig.upload(audience, [['a']])
    const before = platform.calls.length
    await rig.settle(platform.source)
    expect(sent({ ...platform, calls: platform.calls.slice(before) })).toEqual([
      ['add', 1],
      ['remove', 1],
      ['remove', 1],
      ['add', 1],
    ])
    expect(platform.members(account.external_id)).toEqual([['a', 'c', 'd', 'e']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready', size: '4' })
  })

  it('do not follow where they are not to, until they are', async () => {
    const { platform, audience, account, share } = await ready()
    await rig.change(share, { auto_sync: false })
    await rig.upload(audience, [['e']])
    await rig.settle(platform.source, { within_ms: 2 * DAY })
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c', 'd']])
    await rig.change(share, { auto_sync: true, next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c', 'd', 'e']])
  })

  it('are replaced by the whole list where nobody can be taken out of it', async () => {
    const { platform, audience, account } = await ready(fakePlatform({ removes_members: false }))
    await rig.upload(audience, [['a'], ['d']], { action: 'remove' })
    await rig.upload(audience, [['e']])
    const before = platform.calls.length
    await rig.settle(platform.source)
    const after = sent({ ...platform, calls: platform.calls.slice(before) })
    expect(after.map(([action]) => action)).toEqual(['replace', 'replace', 'replace'])
    expect(platform.members(account.external_id)).toEqual([['b', 'c', 'e']])
  })

  it('that came while the list was sent are in it at the end, and nobody is who was removed', async () => {
    const platform = fakePlatform()
    const { audience, account, share } = await shared()
    const acts = [
      () => rig.upload(audience, [['e'], ['f']]),
      () => rig.upload(audience, [['a'], ['e']], { action: 'remove' }),
      () => rig.upload(audience, [['g']]),
    ]
    const step = async (name: string) => {
      if (name === 'after send' || name === 'before finish') await acts.shift()?.()
    }
    await rig.settle(platform.source, { step })
    expect(acts).toEqual([])
    expect(platform.members(account.external_id)).toEqual([['b', 'c', 'd', 'f', 'g']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready', size: '5' })
  })

  it('that replace the list while it is sent end with their own rows', async () => {
    const platform = fakePlatform()
    const { audience, account } = await shared()
    let isReplaced = false
    const step = async (name: string) => {
      if (name !== 'before send' || isReplaced) return
      isReplaced = true
      await rig.upload(audience, [['x'], ['y']], { action: 'replace' })
    }
    await rig.settle(platform.source, { step })
    expect(platform.members(account.external_id)).toEqual([['x', 'y']])
  })

  it('that removed people are destroyed once every share has sent them', async () => {
    const { platform, audience } = await ready()
    const other = await rig.share(audience, (await rig.account('other')).id)
    await rig.settle(platform.source)
    await rig.change(other, { next_at: null })
    const upload = await rig.upload(audience, [['a']], { action: 'remove' })
    await rig.change(other, { next_at: null })
    const chunks = () =>
      rig.db.selectFrom('audience_chunk').select('id').where('upload', '=', upload).execute()
    await rig.settle(platform.source)
    expect(await chunks()).toHaveLength(1)
    await rig.change(other, { next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(await chunks()).toEqual([])
  })
})

describe('an audience for each kind of identifier', () => {
  const PARTS = [
    { part: 'email', columns: ['email'] },
    { part: 'phone', columns: ['phone_e164'] },
  ] as const

  it('is made where the list has any of it', async () => {
    const platform = fakePlatform({ parts: PARTS })
    const { audience, account, share } = await shared()
    await rig.settle(platform.source)
    expect(platform.members(account.external_id, 'email')).toEqual([['a', 'b', 'c', 'd']])
    expect(platform.members(account.external_id, 'phone')).toEqual([])
    await rig.upload(audience, [['1']], { columns: ['phone_e164'] })
    await rig.settle(platform.source)
    expect(platform.members(account.external_id, 'phone')).toEqual([['1']])
    const { parts, size } = await rig.read(share)
    expect([parts.map(({ part }) => part), size]).toEqual([['email', 'phone'], '4 / 1'])
  })

  it('goes when a list replaces it that has none', async () => {
    const platform = fakePlatform({ parts: PARTS })
    const { audience, account, share } = await shared()
    await rig.upload(audience, [['1']], { columns: ['phone_e164'] })
    await rig.settle(platform.source)
    await rig.upload(audience, [['z']], { action: 'replace' })
    await rig.settle(platform.source)
    expect(platform.members(account.external_id, 'phone')).toEqual([])
    expect(platform.members(account.external_id, 'email')).toEqual([['z']])
    expect((await rig.read(share)).parts).toHaveLength(1)
  })
})

describe('accounts that one request reaches', () => {
  const three = async () => {
    const audience = await rig.audience()
    await rig.upload(audience, [['a'], ['b'], ['c']])
    const accounts = [await rig.account('1'), await rig.account('2'), await rig.account('3')]
    const shares: number[] = []
    for (const { id } of accounts) shares.push(await rig.share(audience, id))
    return { audience, accounts: accounts.map(({ external_id }) => external_id), shares }
  }

  it('get each batch together', async () => {
    const platform = fakePlatform({ targets_at_once: 10 })
    const { accounts, shares } = await three()
    await rig.settle(platform.source)
    const batches = platform.calls.filter(({ name }) => name === 'send')
    expect(batches.map(({ accounts: of }) => of.toSorted())).toEqual(Array(3).fill(accounts.toSorted()))
    for (const share of shares) expect(await rig.read(share)).toMatchObject({ state: 'ready', size: '3' })
  })

  it('get them alone where one of them is refused', async () => {
    const platform = fakePlatform({ targets_at_once: 10 })
    const { accounts, shares } = await three()
    const [refused = ''] = accounts
    platform.faults.before = ({ name, accounts: of }) => {
      if (name === 'send' && of.includes(refused)) throw new PlatformFailure('no_access')
    }
    await rig.settle(platform.source)
    const rows = await Promise.all(shares.map(share => rig.read(share)))
    expect(rows.map(({ state, code }) => [state, code])).toEqual([
      ['failed', 'no_access'],
      ['ready', null],
      ['ready', null],
    ])
    for (const account of accounts.slice(1)) expect(platform.members(account)).toEqual([['a', 'b', 'c']])
  })

  it('of different logins do not', async () => {
    const platform = fakePlatform({ targets_at_once: 10 })
    const { accounts } = await three()
    const { id } = await rig.db
      .insertInto('public_account')
      .values({ platform: 'meta', name: 'Another', login: Buffer.from('-'), login_fields: [] })
      .returning('id')
      .executeTakeFirstOrThrow()
    await rig.db
      .updateTable('ad_account')
      .set({ public_account: id })
      .where('external_id', '=', accounts[0] ?? '')
      .execute()
    await rig.settle(platform.source)
    const sizes = platform.calls.filter(({ name }) => name === 'send').map(({ accounts: of }) => of.length)
    expect(sizes.toSorted()).toEqual([1, 1, 1, 2, 2, 2])
  })
})
