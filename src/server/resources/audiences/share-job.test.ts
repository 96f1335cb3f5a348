import { describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { fakePlatform } from './testing/share-platform.ts'
import { shareRig } from './testing/share-rig.ts'

const rig = await shareRig()
const { clock } = rig
const HOUR = 3600_000
const DAY = 24 * HOUR

/** An audience of three chunks and a share of it in an account of its own. */
async function shared(chunks: string[][] = [['a', 'b'], ['c'], ['d']], more: object = {}) {
  const audience = await rig.audience(more)
  await rig.upload(audience, chunks)
  const account = await rig.account('account')
  return { audience, account, share: await rig.share(audience, account.id) }
}

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
