import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { PlatformFailure } from '#server/connectors/connector.ts'
import { sandboxEffects } from '#server/resources/runs/testing/effects.ts'
import { openExecutor } from '#server/workers/executor.ts'
import { advanceNextShare } from './share-job.ts'
import { dieAt } from './testing/die-at.ts'
import { fakePlatform, type FakePlatform } from './testing/share-platform.ts'
import { shareRig } from './testing/share-rig.ts'

const rig = await shareRig()
const { clock, db } = rig

/** Nothing is left for the next test. */
afterEach(() => db.updateTable('audience_share').set({ next_at: null }).execute())

const killAt = (point: number, { source }: FakePlatform) => dieAt(point, step => rig.settle(source, { step }))

/** What a story begins with; the same each time, with audiences and accounts of its own. */
interface Story {
  begin: () => Promise<{ account: string; shares: number[]; expected: string[] }>
  platform: () => FakePlatform
  state?: string
}

const list = async () => {
  const audience = await rig.audience()
  await rig.upload(audience, [['a', 'b'], ['c'], ['d']])
  const account = await rig.account('account')
  return { audience, account: account.external_id, share: await rig.share(audience, account.id) }
}
const emails = () => fakePlatform()

/** Brought there, and ready, before the story begins. */
const ready = async (platform: FakePlatform) => {
  const made = await list()
  await rig.settle(platform.source)
  return made
}

const stories: Record<string, (platform: FakePlatform) => ReturnType<Story['begin']>> = {
  'a new list': async () => {
    const { account, share } = await list()
    return { account, shares: [share], expected: ['a', 'b', 'c', 'd'] }
  },
  'an upload that adds': async platform => {
    const { audience, account, share } = await ready(platform)
    await rig.upload(audience, [['e'], ['f']])
    return { account, shares: [share], expected: ['a', 'b', 'c', 'd', 'e', 'f'] }
  },
  'an upload that removes': async platform => {
    const { audience, account, share } = await ready(platform)
    await rig.upload(audience, [['a'], ['d']], { action: 'remove' })
    return { account, shares: [share], expected: ['b', 'c'] }
  },
  'an upload that replaces, and one that follows': async platform => {
    const { audience, account, share } = await ready(platform)
    await rig.upload(audience, [['x'], ['y']], { action: 'replace' })
    await rig.upload(audience, [['z']])
    return { account, shares: [share], expected: ['x', 'y', 'z'] }
  },
}

describe.each(Object.keys(stories))('a process that dies while it sends %s', name => {
  it('is followed by one that goes on, at whichever point it was', async () => {
    const visited: string[] = []
    for (let point = 1; ; point += 1) {
      const platform = emails()
      const { account, shares, expected } = (await stories[name]?.(platform)) ?? {
        account: '',
        shares: [],
        expected: [],
      }
      const died = await killAt(point, platform)
      if (died === null) break
      visited.push(died)
      await rig.settle(platform.source)
      const about = `${point}: ${died}`
      expect(platform.members(account), about).toEqual([expected])
      expect(platform.protocol, about).toEqual([])
      for (const share of shares)
        expect(await rig.read(share), about).toMatchObject({
          state: 'ready',
          task: null,
          claim: null,
          size: String(expected.length),
        })
      await db.updateTable('audience_share').set({ next_at: null }).execute()
    }
    expect(visited.length).toBeGreaterThan(12)
    expect(new Set(visited)).toEqual(
      new Set(
        ['begin', 'send', 'finish', 'poll', 'store'].flatMap(call => [`before ${call}`, `after ${call}`]),
      ),
    )
  })
})

describe('a share that is being removed', () => {
  it('leaves nothing at the platform, at whichever point of its making it was', async () => {
    for (let point = 1; ; point += 1) {
      const platform = emails()
      const { account, share } = await list()
      const died = await killAt(point, platform)
      if (died === null) break
      await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
      await rig.settle(platform.source)
      expect(platform.members(account), `${point}: ${died}`).toEqual([])
      expect(await rig.read(share)).toMatchObject({ state: 'removed', parts: [], task: null, next_at: null })
    }
  })

  it('is removed at whichever point the process dies that removes it', async () => {
    for (let point = 1; ; point += 1) {
      const platform = emails()
      const { account, share } = await ready(platform)
      await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
      const died = await killAt(point, platform)
      if (died === null) break
      await rig.settle(platform.source)
      expect(platform.members(account), `${point}: ${died}`).toEqual([])
      expect(await rig.read(share)).toMatchObject({ state: 'removed' })
    }
  })

  it('by somebody while a batch is sent is removed by the process that sends it', async () => {
    for (const name of ['begin', 'send', 'finish', 'poll']) {
      const platform = emails()
      const { account, share } = await list()
      let isRemoved = false
      const step = async (at: string) => {
        if (at !== `after ${name}` || isRemoved) return
        isRemoved = true
        await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
      }
      await rig.settle(platform.source, { step })
      expect(platform.members(account), name).toEqual([])
      expect(await rig.read(share), name).toMatchObject({ state: 'removed' })
      expect(platform.names().filter(each => each === 'remove')).toHaveLength(1)
    }
  })
})

describe('a response that is lost', () => {
  it.each(['begin', 'send', 'finish', 'poll', 'remove'])('to %s is asked for again', async name => {
    const platform = emails()
    const { account, share } = await list()
    const lost = new Set<string>()
    platform.faults.after = ({ name: called, index }) => {
      const call = `${called} ${index ?? ''}`
      if (called !== name || lost.has(call)) return
      lost.add(call)
      throw new PlatformFailure('platform_timeout')
    }
    await rig.settle(platform.source)
    expect(platform.members(account)).toEqual([['a', 'b', 'c', 'd']])
    expect(platform.audiences).toHaveLength(1)
    await rig.change(share, { state: 'removing', next_at: new Date(clock.now) })
    await rig.settle(platform.source)
    expect(platform.audiences).toEqual([])
    expect(platform.protocol).toEqual([])
    expect(lost.size).toBeGreaterThan(0)
    expect(await rig.read(share)).toMatchObject({ state: 'removed', failures: 0 })
  })
})

describe('a worker', () => {
  /** As its process runs it, beside runs. */
  const executorOf = (platform: FakePlatform) => {
    const { audiencesOf, openChunk, openErasure, ...tools } = rig.effects(platform.source)
    const effects = {
      ...sandboxEffects(db, { base_url: 'http://127.0.0.1:9', folder: mkdtempSync(join(tmpdir(), 'none-')) }),
      fetch: tools.fetch,
      hosts: tools.hosts,
      tokens: tools.tokens,
      limiter: tools.limiter,
      audiences: { audiencesOf, openChunk, openErasure },
    }
    return openExecutor(rig, { effects, log: pino({ level: 'silent' }) })
  }

  it('brings on all audiences that are due, and ends', async () => {
    const platform = emails()
    const made = [await list(), await list(), await list()]
    await executorOf(platform).errand({ kind: 'audiences' })
    for (const { share, account } of made) {
      expect(await rig.read(share)).toMatchObject({ state: 'ready', claim: null })
      expect(platform.members(account)).toEqual([['a', 'b', 'c', 'd']])
    }
  })

  it('that is stopped while it does releases them', async () => {
    const platform = emails()
    const { share } = await list()
    const executor = executorOf(platform)
    platform.faults.before = ({ name }) => {
      if (name === 'send') executor.release()
    }
    await executor.errand({ kind: 'audiences' })
    expect(await rig.read(share)).toMatchObject({ state: 'uploading', claim: null, failures: 0 })
  })
})

describe('several processes', () => {
  it('never send a batch twice', async () => {
    const platform = emails()
    const accounts = []
    for (let each = 0; each < 6; each += 1) accounts.push((await list()).account)
    const work = async () => {
      while (await advanceNextShare(db, rig.effects(platform.source)));
    }
    await Promise.all([work(), work(), work(), work()])
    const sent = platform.calls
      .filter(({ name }) => name === 'send')
      .map(call => `${call.accounts[0]} ${call.index}`)
    expect(sent).toHaveLength(18)
    expect(new Set(sent).size).toBe(18)
    for (const account of accounts) expect(platform.members(account)).toEqual([['a', 'b', 'c', 'd']])
  })

  it('of which one has slept past the end of its claim send nothing more with it', async () => {
    const platform = emails()
    const { account, share } = await list()
    let hasSlept = false
    const step = async (name: string) => {
      if (name !== 'before send' || hasSlept) return
      hasSlept = true
      clock.now += 3600_000
      await rig.settle(platform.source)
    }
    await rig.settle(platform.source, { step })
    const sent = platform.calls.filter(({ name }) => name === 'send').map(({ index }) => index)
    expect(sent).toEqual([1, 2, 3])
    expect(platform.members(account)).toEqual([['a', 'b', 'c', 'd']])
    expect(await rig.read(share)).toMatchObject({ state: 'ready' })
  })

  it('of which one is stopped release what it has, for the others at once', async () => {
    const platform = emails()
    const { account, share } = await list()
    const stopping = new AbortController()
    platform.faults.before = ({ name, index }) => {
      if (name === 'send' && index === 2) stopping.abort()
    }
    await advanceNextShare(db, rig.effects(platform.source, { stopping: stopping.signal }))
    const row = await rig.read(share)
    expect(row).toMatchObject({ state: 'uploading', claim: null, claimed_until: null, failures: 0 })
    expect(row.next_at?.getTime()).toBeLessThanOrEqual(clock.now)
    platform.faults.before = () => {}
    await rig.settle(platform.source)
    expect(platform.members(account)).toEqual([['a', 'b', 'c', 'd']])
  })
})
