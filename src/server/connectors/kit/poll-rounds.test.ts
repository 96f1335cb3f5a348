import { expect, it } from 'vitest'
import { pollTogether, type PollRounds } from './poll-rounds.ts'

/** Polls of an account, and what was sent; each pause ends when its test says so. */
function platform() {
  const rounds: PollRounds = new Map()
  const sent: string[][] = []
  const pauses: (() => void)[] = []
  const poll = (...ids: string[]) =>
    pollTogether(rounds, {
      key: 'account',
      ids,
      pause: () => new Promise<void>(resolve => void pauses.push(resolve)),
      send: async all => {
        sent.push(all)
        return new Map(all.map(id => [id, 'READY']))
      },
    })
  return { poll, sent, endPause: () => pauses.shift()?.() }
}

it('polls of requests that wait at the same time are sent as one', async () => {
  const { poll, sent, endPause } = platform()
  const both = [poll('1'), poll('2', '1')]
  endPause()
  const [one, other] = await Promise.all(both)
  expect(sent).toEqual([['1', '2']])
  expect([one?.get('1'), other?.get('2')]).toEqual(['READY', 'READY'])
})

it('a poll after the pause goes in a round of its own', async () => {
  const { poll, sent, endPause } = platform()
  const first = poll('1')
  endPause()
  await first
  const second = poll('2')
  endPause()
  await second
  expect(sent).toEqual([['1'], ['2']])
})

it('a round that fails, fails for all, and the next one is sent', async () => {
  const rounds: PollRounds = new Map()
  const failing = {
    key: 'account',
    ids: ['1'],
    pause: async () => {},
    send: () => Promise.reject(new Error('no')),
  }
  await expect(Promise.all([pollTogether(rounds, failing), pollTogether(rounds, failing)])).rejects.toThrow(
    'no',
  )
  const states = await pollTogether(rounds, { ...failing, send: async () => new Map([['1', 'READY']]) })
  expect(states.get('1')).toBe('READY')
})
