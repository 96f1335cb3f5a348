import { afterEach, describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { dieAt } from './testing/die-at.ts'
import { fakePlatform, type FakePlatform } from './testing/share-platform.ts'
import { shareRig } from './testing/share-rig.ts'

const rig = await shareRig()
const { clock, db } = rig
const DAY = 24 * 3600_000

/** Nothing is left for the next test. */
afterEach(async () => {
  await db.updateTable('audience_share').set({ next_at: null }).execute()
  await db.updateTable('erasure_account').set({ next_at: null }).execute()
})

/** Two lists in one account, and ready there. */
async function listsAt(platform: FakePlatform) {
  const [one, two] = [await rig.audience(), await rig.audience()]
  await rig.upload(one, [['a', 'b'], ['c']])
  await rig.upload(two, [['a', 'x']])
  const account = await rig.account('account')
  const shares = [await rig.share(one, account.id), await rig.share(two, account.id)]
  await rig.settle(platform.source)
  clock.now += 60_000
  return { audiences: [one, two], account, shares }
}

const sealedOf = (id: number) =>
  db.selectFrom('erasure').select(['sealed', 'finished_at']).where('id', '=', id).executeTakeFirstOrThrow()

describe('an erasure', () => {
  it('takes people out of all lists of an account where the platform can', async () => {
    const platform = fakePlatform({ erases: true })
    const { account } = await listsAt(platform)
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['b', 'c'], ['x']])
    expect(await rig.outcomes(id)).toEqual(['done'])
    expect(await sealedOf(id)).toEqual({ sealed: null, finished_at: new Date(clock.now) })
  })

  it('takes them out list by list elsewhere', async () => {
    const platform = fakePlatform()
    const { account, shares } = await listsAt(platform)
    const before = platform.calls.length
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['b', 'c'], ['x']])
    const calls = platform.calls.slice(before).map(({ name, action }) => `${name} ${action}`)
    expect(calls).toEqual(
      Array.from({ length: 2 }, () => ['begin remove', 'send remove', 'finish remove']).flat(),
    )
    expect(await rig.outcomes(id)).toEqual(['done'])
    for (const share of shares) expect(await rig.read(share)).toMatchObject({ state: 'ready', claim: null })
  })

  it('has lists replaced by the rest where nobody can be taken out', async () => {
    const platform = fakePlatform({ removes_members: false })
    const { account } = await listsAt(platform)
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['b', 'c'], ['x']])
    expect(await rig.outcomes(id)).toEqual(['done'])
  })

  it('asks for a new upload where our copy of such a list is destroyed', async () => {
    const platform = fakePlatform({ removes_members: false })
    const { account, audiences } = await listsAt(platform)
    const [expired = 0] = audiences
    await db.updateTable('audience').set({ status: 'expired' }).where('id', '=', expired).execute()
    await db.deleteFrom('audience_chunk').where('audience', '=', expired).execute()
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c'], ['x']])
    expect(await rig.outcomes(id)).toEqual(['upload_again'])
  })

  it('fails where the list cannot be replaced', async () => {
    const platform = fakePlatform({ removes_members: false })
    const { account } = await listsAt(platform)
    platform.faults.before = ({ name }) => {
      if (name === 'send') throw new PlatformFailure('role_missing')
    }
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(await rig.outcomes(id)).toEqual(['failed: role_missing'])
  })

  it('empties the list of the last person where nobody can be taken out, and the list lives on', async () => {
    const platform = fakePlatform({ removes_members: false })
    const audience = await rig.audience()
    await rig.upload(audience, [['a']])
    const account = await rig.account('account')
    const share = await rig.share(audience, account.id)
    await rig.settle(platform.source)
    clock.now += 60_000
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id).flat()).toEqual([])
    expect(await rig.outcomes(id)).toEqual(['done'])
    await rig.upload(audience, [['b']])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id).flat()).toEqual(['b'])
    expect(await rig.read(share)).toMatchObject({ state: 'ready', code: null })
  })

  it.each([
    ['consent is denied', 'consent_denied', {}],
    ['the audience could not be deleted', 'no_access', { is_deleting: true }],
  ])('does not send a list again when %s', async (_, code, facts) => {
    const platform = fakePlatform({ removes_members: false })
    const { account, audiences, shares } = await listsAt(platform)
    const [audience = 0, share = 0] = [audiences[0], shares[0]]
    const denied = JSON.stringify({ ad_user_data: 'denied', ad_personalization: 'granted' })
    const isDenied = code === 'consent_denied'
    await db
      .updateTable('audience')
      .set({ ...facts, ...(isDenied && { consent: denied }) })
      .where('id', '=', audience)
      .execute()
    if (!isDenied) await rig.change(share, { state: 'failed', code })
    const before = platform.calls.length
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(await rig.outcomes(id)).toEqual([`failed: ${code}`])
    expect(platform.calls.slice(before).filter(({ name }) => name === 'send')).toEqual([])
    expect((await rig.read(share)).state).toBe(isDenied ? 'ready' : 'failed')
  })

  it('finds nothing where no list has been brought', async () => {
    const platform = fakePlatform({ erases: true })
    const account = await rig.account('empty')
    const id = await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    expect(await rig.outcomes(id)).toEqual(['nothing_there'])
    expect(platform.calls).toEqual([])
  })

  it('waits until a list that is being sent has been sent', async () => {
    const platform = fakePlatform()
    const audience = await rig.audience()
    await rig.upload(audience, [['a'], ['b'], ['c']])
    const account = await rig.account('account')
    await rig.share(audience, account.id)
    let id = 0
    const step = async (name: string) => {
      if (name === 'after send' && id === 0) id = await rig.erasure(['a', 'c'], [account.id])
    }
    await rig.settle(platform.source, { step })
    expect(platform.members(account.external_id)).toEqual([['b']])
    expect(await rig.outcomes(id)).toEqual(['done'])
  })

  it('is asked for again while a platform is away, and fails where it is refused', async () => {
    const platform = fakePlatform({ erases: true })
    const { account } = await listsAt(platform)
    const other = await listsAt(platform)
    let isAway = true
    platform.faults.before = ({ name, accounts }) => {
      if (name !== 'erase') return
      if (accounts[0] === other.account.external_id) throw new PlatformFailure('no_access')
      if (isAway) {
        isAway = false
        throw new PlatformFailure('platform_unavailable')
      }
    }
    const id = await rig.erasure(['a'], [account.id, other.account.id])
    await rig.settle(platform.source, { within_ms: DAY / 2 })
    expect(await rig.outcomes(id)).toEqual(['done', 'failed: no_access'])
    expect((await sealedOf(id)).sealed).toBeNull()
  })

  it('loses nothing of an upload that had failed half way', async () => {
    const platform = fakePlatform()
    const { account, audiences, shares } = await listsAt(platform)
    const [audience = 0, share = 0] = [audiences[0], shares[0]]
    platform.faults.before = ({ name, index }) => {
      if (name === 'send' && index === 2) throw new PlatformFailure('terms_not_accepted')
    }
    await rig.upload(audience, [['m'], ['n']])
    await rig.settle(platform.source)
    expect(await rig.read(share)).toMatchObject({ state: 'failed' })
    platform.faults.before = () => {}
    await rig.erasure(['a'], [account.id])
    await rig.settle(platform.source)
    await rig.change(share, { state: 'queued', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)[0]).toEqual(['b', 'c', 'm', 'n'])
  })

  it.each([
    ['at once', { erases: true }],
    ['list by list', {}],
  ])('%s is done by another process when one dies, wherever it was', async (_, facts) => {
    for (let point = 1; ; point += 1) {
      const platform = fakePlatform(facts)
      const { account } = await listsAt(platform)
      const id = await rig.erasure(['a'], [account.id])
      if ((await dieAt(point, step => rig.settle(platform.source, { step }))) === null) break
      await rig.settle(platform.source)
      expect(platform.members(account.external_id), String(point)).toEqual([['b', 'c'], ['x']])
      expect(await rig.outcomes(id)).toEqual(['done'])
      await db.updateTable('audience_share').set({ next_at: null }).execute()
    }
  })
})
