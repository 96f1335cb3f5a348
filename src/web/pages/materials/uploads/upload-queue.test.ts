import { describe, expect, it } from 'vitest'
import { Problem } from '#web/client/problem.ts'
import { createUploadQueue, MOST_AT_ONCE, type Upload, type Uploaded } from './upload-queue.ts'

const envelope = { kind: 'image', advertiser: 1, tags: ['autumn'] } as const
const fileOf = (name: string) => new File([name], name)
const row = (id: number, facts: Partial<Uploaded> = {}): Uploaded => ({ id, name: `${id}.png`, ...facts })

/** One attempt to send an upload, which the test ends. */
interface Attempt {
  name: string
  signal: AbortSignal
  onProgress: (share: number) => void
  end: PromiseWithResolvers<Uploaded>
}

function queueOf(...names: string[]) {
  const attempts: Attempt[] = []
  const waits: { problem: Problem; over: PromiseWithResolvers<void> }[] = []
  let done = 0
  const queue = createUploadQueue({
    send({ file }, options) {
      const end = Promise.withResolvers<Uploaded>()
      attempts.push({ name: file.name, ...options, end })
      return end.promise
    },
    recovery(problem) {
      const over = Promise.withResolvers<void>()
      waits.push({ problem, over })
      return over.promise
    },
  })
  queue.add({ files: names.map(fileOf), envelope, user: 7, onDone: () => (done += 1) })
  const states = () => queue.uploads.get().map(({ state }) => state.status)
  return {
    queue,
    attempts,
    waits,
    states,
    done: () => done,
    sent: () => attempts.map(({ name }) => name),
    ids: () => queue.uploads.get().map(({ id }) => id),
    attempt(index: number) {
      const found = attempts[index]
      if (!found) throw new Error('no such attempt')
      return found
    },
  }
}

describe('uploads', () => {
  it('are sent a few at a time, in order, each for itself', async () => {
    const { states, sent, attempt, done } = queueOf('a', 'b', 'c', 'd', 'e')
    expect(sent()).toEqual(['a', 'b', 'c'])
    expect(sent()).toHaveLength(MOST_AT_ONCE)
    expect(states()).toEqual(['sending', 'sending', 'sending', 'queued', 'queued'])
    attempt(1).end.resolve(row(12))
    await expect.poll(sent).toEqual(['a', 'b', 'c', 'd'])
    attempt(0).end.reject(new Problem({ code: 'invalid', status: 400 }))
    await expect.poll(sent).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(states()).toEqual(['failed', 'done', 'sending', 'sending', 'sending'])
    expect(done()).toBe(1)
  })

  it('say how far they are in whole per cent', () => {
    const { queue, attempt } = queueOf('a')
    const changes: Upload['state'][] = []
    queue.uploads.subscribe(() => changes.push(...queue.uploads.get().map(({ state }) => state)))
    for (const share of [0.104, 0.109, 0.11, 1]) attempt(0).onProgress(share)
    expect(changes).toEqual([0.1, 0.11, 1].map(share => ({ status: 'sending', share })))
  })

  it('give up their turn when they are cancelled', async () => {
    const { queue, attempt, sent, ids, states } = queueOf('a', 'b', 'c', 'd')
    const [first = 0] = ids()
    queue.remove(first)
    expect(attempt(0).signal.aborted).toBe(true)
    expect(sent()).toEqual(['a', 'b', 'c', 'd'])
    attempt(0).end.resolve(row(11))
    attempt(1).end.resolve(row(12))
    await expect.poll(states).toEqual(['done', 'sending', 'sending'])
  })

  it('are sent again by themselves once the server can be reached', async () => {
    const { attempt, waits, states, sent } = queueOf('a')
    attempt(0).end.reject(new Problem({ code: 'unreachable' }))
    await expect.poll(states).toEqual(['waiting'])
    expect(waits[0]?.problem.code).toBe('unreachable')
    waits[0]?.over.resolve()
    await expect.poll(sent).toEqual(['a', 'a'])
    attempt(1).end.resolve(row(11, { duplicate: true }))
    await expect.poll(states).toEqual(['done'])
  })

  it('wait as the server says, unless that is long', async () => {
    const { attempt, waits, states } = queueOf('a', 'b')
    attempt(0).end.reject(new Problem({ code: 'rate_limited', status: 429, retry_after_ms: 2000 }))
    attempt(1).end.reject(new Problem({ code: 'rate_limited', status: 429, retry_after_ms: 61_000 }))
    await expect.poll(states).toEqual(['waiting', 'failed'])
    expect(waits).toHaveLength(1)
  })

  it('do not try for ever', async () => {
    const { attempts, attempt, waits, states } = queueOf('a')
    for (let again = 0; again < 5; again++) {
      await expect.poll(() => attempts.length).toBe(again + 1)
      attempt(again).end.reject(new Problem({ code: 'unreachable' }))
      await expect.poll(() => waits.length + Number(states()[0] === 'failed')).toBe(again + 1)
      waits[again]?.over.resolve()
    }
    expect(states()).toEqual(['failed'])
    expect(attempts).toHaveLength(5)
  })

  it('stop waiting when they are cancelled', async () => {
    const { queue, attempt, waits, ids, sent } = queueOf('a')
    attempt(0).end.reject(new Problem({ code: 'unreachable' }))
    await expect.poll(() => waits.length).toBe(1)
    queue.remove(...ids())
    waits[0]?.over.resolve()
    await Promise.resolve()
    expect(sent()).toEqual(['a'])
    expect(queue.uploads.get()).toEqual([])
  })

  it('are sent anew when somebody wants it, those alone that have failed', async () => {
    const { queue, attempt, ids, states, sent } = queueOf('a', 'b')
    attempt(0).end.reject(new Problem({ code: 'quota_files', status: 413 }))
    attempt(1).end.resolve(row(12))
    await expect.poll(states).toEqual(['failed', 'done'])
    queue.retry(...ids())
    expect(states()).toEqual(['sending', 'done'])
    expect(sent()).toEqual(['a', 'b', 'a'])
  })

  it('are sent in the place of one that was cancelled while it waited for its turn', async () => {
    const { queue, ids, sent, attempt } = queueOf('a', 'b', 'c', 'd', 'e')
    queue.remove(...ids().slice(3, 4))
    attempt(0).end.resolve(row(11))
    await expect.poll(sent).toEqual(['a', 'b', 'c', 'e'])
  })
})
