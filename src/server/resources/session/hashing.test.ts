import { expect, it } from 'vitest'
import { Refusal } from '#server/http/refusal.ts'
import { createHashing } from './hashing.ts'

it('works on so many at once, and serves the networks in turn', async () => {
  const { request, finish, started } = line(8)
  for (const name of ['crowd 1', 'crowd 2', 'crowd 3', 'crowd 4', 'crowd 5', 'alone 1', 'other 1', 'other 2'])
    request(name)
  await settled()
  expect(started).toEqual(['crowd 1', 'crowd 2'])
  for (let done = 0; done < 6; done += 1) await finish()
  expect(started).toEqual([
    'crowd 1',
    'crowd 2',
    'crowd 3',
    'alone 1',
    'other 1',
    'crowd 4',
    'other 2',
    'crowd 5',
  ])
})

it('drops the last of the network with the most waiting, never somebody who waits alone', async () => {
  const { request, finish, started, refused } = line()
  for (let n = 1; n <= 8; n += 1) request(`crowd ${n}`)
  await settled()
  expect(refused).toEqual(['crowd 7 rate_limited 2', 'crowd 8 rate_limited 2'])
  request('alone 1')
  request('another 1')
  await settled()
  expect(refused).toEqual([
    'crowd 7 rate_limited 2',
    'crowd 8 rate_limited 2',
    'crowd 6 rate_limited 2',
    'crowd 5 rate_limited 2',
  ])
  for (let done = 0; done < 6; done += 1) await finish()
  expect(started).toEqual(['crowd 1', 'crowd 2', 'crowd 3', 'alone 1', 'another 1', 'crowd 4'])
})

it('drops disconnected clients, and goes on with the next', async () => {
  const { request, finish, started, refused } = line()
  const disconnected = new AbortController()
  request('busy 1')
  request('busy 2')
  request('gone 1', disconnected.signal)
  request('patient 1')
  disconnected.abort()
  await settled()
  request('late 1', disconnected.signal)
  await settled()
  expect(refused).toEqual(['gone 1 rate_limited 2', 'late 1 rate_limited 2'])
  for (let done = 0; done < 3; done += 1) await finish()
  expect(started).toEqual(['busy 1', 'busy 2', 'patient 1'])
})

it('frees the slot when the work fails', async () => {
  const hashing = createHashing({ at_once: 1, most_waiting: 1 })
  const caller = { network: 'one', signal: new AbortController().signal }
  const failing = hashing.run(caller, async () => {
    throw new Error('no memory')
  })
  const next = hashing.run(caller, async () => 'done')
  await expect(failing).rejects.toThrow('no memory')
  expect(await next).toBe('done')
})

/** A queue with two at once and a few that wait, whose work ends when the test says so. */
function line(most_waiting = 4) {
  const hashing = createHashing({ at_once: 2, most_waiting })
  const started: string[] = []
  const refused: string[] = []
  const under_way: (() => void)[] = []
  const request = (name: string, signal = new AbortController().signal) =>
    void hashing
      .run({ network: name.split(' ')[0] ?? '', signal }, () => {
        started.push(name)
        return new Promise<void>(resolve => under_way.push(resolve))
      })
      .catch((error: unknown) => {
        if (error instanceof Refusal) refused.push(`${name} ${error.code} ${error.facts.retry_after_s}`)
      })
  const finish = async () => {
    under_way.shift()?.()
    await settled()
  }
  return { request, finish, started, refused }
}

const settled = () => new Promise(resolve => setImmediate(resolve))
