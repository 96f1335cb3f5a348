import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { UploadLost } from '#server/connectors/audience.ts'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { advanceNextShare } from './share-job.ts'
import { fakePlatform } from './testing/share-platform.ts'
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

describe('accounts of one business', () => {
  const business = async (recipients = 2) => {
    const audience = await rig.audience()
    await rig.upload(audience, [['a'], ['b']])
    const first = await rig.account('home')
    const home = await rig.share(audience, first.id, { mode: 'home', business: 'b' })
    const others = []
    for (let each = 0; each < recipients; each += 1) {
      const account = await rig.account('recipient')
      const share = await rig.share(audience, account.id, { mode: 'shared', business: 'b', home })
      others.push({ account: account.external_id, share })
    }
    return { audience, account: first.external_id, home, others }
  }

  it('have one upload and one call that shares it', async () => {
    const platform = fakePlatform()
    const { account, home, others } = await business()
    await rig.settle(platform.source)
    const counted = (name: string) => platform.calls.filter(call => call.name === name)
    expect([counted('begin').length, counted('send').length]).toEqual([1, 2])
    expect(counted('share')).toEqual([
      { name: 'share', accounts: [account], recipients: others.map(({ account: of }) => of) },
    ])
    const { parts } = await rig.read(home)
    for (const { share } of others)
      expect(await rig.read(share)).toMatchObject({
        state: 'ready',
        size: '2',
        parts: [{ part: 'all', external_id: parts[0]?.external_id }],
      })
  })

  it('wait for the home, and fail with it', async () => {
    const platform = fakePlatform()
    const { others } = await business()
    platform.faults.before = ({ name }) => {
      if (name === 'send') throw new PlatformFailure('terms_not_accepted')
    }
    await rig.settle(platform.source)
    for (const { share } of others)
      expect(await rig.read(share)).toMatchObject({ state: 'failed', code: 'terms_not_accepted' })
    expect(platform.names()).not.toContain('share')
  })

  it('are left one by one, and the home last', async () => {
    const platform = fakePlatform()
    const { home, others } = await business()
    await rig.settle(platform.source)
    for (const share of [home, ...others.map(({ share: of }) => of)])
      await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.names().slice(-3)).toEqual(['unshare', 'unshare', 'remove'])
    for (const share of [home, ...others.map(({ share: of }) => of)])
      expect(await rig.read(share)).toMatchObject({ state: 'removed' })
  })
})

describe('what a platform makes by itself', () => {
  const VISITORS = {
    kind: 'website' as const,
    rule: JSON.stringify({ match: 'all', values: [] }),
    window_days: 30,
  }
  const site = async () => {
    const pixels = JSON.stringify([{ platform: 'meta', id: '3390' }])
    const row = { advertiser: rig.advertiser, name: 'Shop', url: `https://${randomUUID()}.demo`, pixels }
    return (await rig.db.insertInto('site').values(row).returning('id').executeTakeFirstOrThrow()).id
  }

  it('is made of the visitors of a site', async () => {
    const platform = fakePlatform()
    const audience = await rig.audience({ ...VISITORS, site: await site() })
    const share = await rig.share(audience, (await rig.account('account')).id)
    await rig.settle(platform.source)
    expect(platform.names()).toEqual(['create', 'poll'])
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })
    await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.audiences).toEqual([])
  })

  it('is made like a seed in the same account, and not without one', async () => {
    const platform = fakePlatform()
    const { audience: seed, account } = await shared()
    const audience = await rig.audience({ kind: 'lookalike', seed, country: 'TW', ratio: 1 })
    const other = await rig.share(audience, (await rig.account('other')).id)
    await rig.settle(platform.source)
    const share = await rig.share(audience, account.id)
    await rig.settle(platform.source)
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })
    expect(await rig.read(other)).toMatchObject({ state: 'failed', code: 'seed_not_shared' })
  })

  it('waits until the people of its seed are found, or the seed has failed', async () => {
    const platform = fakePlatform()
    const begun = await shared()
    const audience = await rig.audience({ kind: 'lookalike', seed: begun.audience, country: 'TW', ratio: 1 })
    const share = await rig.share(audience, begun.account.id)
    let isFilling = true
    platform.faults.poll = () => (isFilling ? { state: 'matching', poll_after_ms: 20_000 } : {})
    await rig.settle(platform.source, { within_ms: 60_000 })
    expect(await rig.read(share)).toMatchObject({ state: 'queued', code: null })
    isFilling = false
    await rig.settle(platform.source, { within_ms: 60_000 })
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })

    platform.faults.before = ({ name }) => {
      if (name === 'send') throw new PlatformFailure('terms_not_accepted')
    }
    const failing = await shared()
    const other = await rig.audience({ kind: 'lookalike', seed: failing.audience, country: 'TW', ratio: 1 })
    const never = await rig.share(other, failing.account.id)
    await rig.settle(platform.source, { within_ms: 60_000 })
    expect(await rig.read(never)).toMatchObject({ state: 'failed', code: 'seed_not_shared' })
  })

  it('is deleted although the response to its making was lost', async () => {
    const platform = fakePlatform()
    const audience = await rig.audience({ ...VISITORS, site: await site() })
    const share = await rig.share(audience, (await rig.account('account')).id)
    let isLost = false
    platform.faults.after = ({ name }) => {
      if (name !== 'create' || isLost) return
      isLost = true
      throw new PlatformFailure('platform_timeout')
    }
    await advanceNextShare(rig.db, rig.effects(platform.source))
    expect(platform.audiences).toHaveLength(1)
    await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.audiences).toEqual([])
    expect(await rig.read(share)).toMatchObject({ state: 'removed' })
  })
})

describe('a change on the way', () => {
  /** After the second batch. */
  const midway = async (change: (of: { audience: number; account: number }) => Promise<unknown>) => {
    const platform = fakePlatform()
    const { audience, account, share } = await shared()
    let sends = 0
    const step = async (name: string) => {
      if (name === 'after send' && ++sends === 2) await change({ audience, account: account.id })
    }
    await rig.settle(platform.source, { step })
    return { platform, audience, share, row: await rig.read(share) }
  }
  const change = (audience: number, changes: object) =>
    rig.db.updateTable('audience').set(changes).where('id', '=', audience).execute()

  it('of the account to another advertiser ends the share', async () => {
    const other = await rig.insertAdvertiser('Borealis')
    const { row, platform } = await midway(({ account }) =>
      rig.db.updateTable('ad_account').set({ advertiser: other }).where('id', '=', account).execute(),
    )
    expect(row).toMatchObject({ state: 'failed', code: 'account_access_lost', next_at: null })
    expect(platform.names().filter(name => name === 'send')).toHaveLength(2)
  })

  it('of the consent lets nobody in any more, and people out', async () => {
    const platform = fakePlatform()
    const { audience, account, share } = await shared()
    await rig.settle(platform.source)
    const consent = JSON.stringify({ ad_user_data: 'granted', ad_personalization: 'denied' })
    await change(audience, { consent })
    await rig.upload(audience, [['c']], { action: 'remove' })
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'd']])
    await rig.upload(audience, [['e']])
    await rig.settle(platform.source)
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'd']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready', code: 'consent_denied' })
  })

  it('of the consent ends the share', async () => {
    const consent = JSON.stringify({ ad_user_data: 'denied', ad_personalization: 'granted' })
    const { row } = await midway(({ audience }) => change(audience, { consent }))
    expect(row).toMatchObject({ state: 'failed', code: 'consent_denied' })
  })

  it('by which the rows are destroyed ends it, and a new upload begins the whole list again', async () => {
    const { row, audience, share, platform } = await midway(async of => {
      await rig.db.deleteFrom('audience_chunk').where('audience', '=', of.audience).execute()
      await change(of.audience, { status: 'expired' })
    })
    expect(row).toMatchObject({ state: 'failed', code: 'members_expired' })
    await change(audience, { status: 'ready' })
    await rig.upload(audience, [['n']])
    await rig.change(share, { state: 'queued', task: null, sent_to: -1, next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.audiences.map(({ members }) => [...members])).toContainEqual(['n'])
  })

  it('that makes the platform forget the first batches begins them again', async () => {
    const platform = fakePlatform()
    const { account, share } = await shared()
    let isLost = false
    platform.faults.before = ({ name, index }) => {
      if (name !== 'send' || index !== 3 || isLost) return
      isLost = true
      throw new UploadLost(new PlatformFailure('platform_error'))
    }
    await rig.settle(platform.source)
    const indexes = platform.calls.filter(({ name }) => name === 'send').map(({ index }) => index)
    expect(indexes).toEqual([1, 2, 3, 1, 2, 3])
    expect(platform.members(account.external_id)).toEqual([['a', 'b', 'c', 'd']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })
  })
})

describe('the daily look', () => {
  const ready = async () => {
    const platform = fakePlatform()
    const made = await shared()
    await rig.settle(platform.source)
    return { platform, ...made }
  }
  const notices = () =>
    rig.db
      .selectFrom('notification')
      .selectAll()
      .where('kind', '=', 'audience_stopped')
      .orderBy('id')
      .execute()

  it.each(['audience_gone', 'audience_flagged', 'account_inactive', 'terms_not_accepted'] as const)(
    'stops a share because of %s, and says so to its maker and the staff',
    async code => {
      const colleague = await rig.user('staff')
      const outsider = await rig.user('staff')
      await rig.db
        .insertInto('advertiser_member')
        .values({ advertiser: rig.advertiser, user_id: colleague })
        .execute()
      const { platform, share } = await ready()
      const before = (await notices()).length
      platform.faults.before = ({ name }) => {
        if (name === 'poll') throw new PlatformFailure(code, { platform_message: 'It is over.' })
      }
      await rig.settle(platform.source, { within_ms: 2 * DAY })
      expect(await rig.read(share)).toMatchObject({
        state: 'stopped',
        code,
        message: 'It is over.',
        next_at: null,
      })
      const written = (await notices()).slice(before)
      const receivers = new Set(written.map(({ user_id }) => user_id))
      expect([receivers.has(rig.maker), receivers.has(colleague), receivers.has(outsider)]).toEqual([
        true,
        true,
        false,
      ])
      expect(written[0]).toMatchObject({ code, detail: { ad_account: 'account' } })
    },
  )

  it('says nothing about the audience while the login does not work', async () => {
    const { platform, share } = await ready()
    platform.faults.before = ({ name }) => {
      if (name === 'poll') throw new PlatformFailure('credential_expired')
    }
    await rig.settle(platform.source, { within_ms: 1.5 * DAY })
    expect(await rig.read(share)).toMatchObject({ state: 'ready', code: 'credential_expired' })
    platform.faults.before = () => {}
    await rig.settle(platform.source, { within_ms: 1.5 * DAY })
    expect(await rig.read(share)).toMatchObject({ state: 'ready', code: null })
  })

  it('finds an audience that has become too small, and large enough again', async () => {
    const { platform, share } = await ready()
    platform.faults.poll = () => ({ state: 'too_small', size: '100 or fewer' })
    await rig.settle(platform.source, { within_ms: 1.5 * DAY })
    expect(await rig.read(share)).toMatchObject({ state: 'too_small', size: '100 or fewer' })
    platform.faults.poll = () => ({})
    await rig.settle(platform.source, { within_ms: 1.5 * DAY })
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })
  })
})

describe('an account that cannot be reached', () => {
  it.each([
    [
      'without a login',
      async () => Promise.reject(new PlatformFailure('credential_missing')),
      'credential_missing',
    ],
    ['of a platform without audiences', async () => null, 'unsupported_channel'],
  ])('%s has its share fail', async (_, audiencesOf, code) => {
    const { share } = await shared()
    await rig.settle(null, { audiencesOf })
    expect(await rig.read(share)).toMatchObject({ state: 'failed', code })
  })

  it('for longer than a day and a half has it fail in the end', async () => {
    const platform = fakePlatform()
    platform.faults.before = () => {
      throw new PlatformFailure('platform_unavailable')
    }
    const { share } = await shared()
    await rig.settle(platform.source, { within_ms: 3 * DAY })
    expect(await rig.read(share)).toMatchObject({ state: 'failed', code: 'platform_unavailable' })
  })
})
