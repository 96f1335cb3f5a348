import { inspect } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { drawn, randomOf, SEED } from '#server/testing/random.ts'
import { withoutEnd } from './testing/hostile-json.ts'
import { isHeavy, NEVER, mutationsOf } from './testing/hostile-responses.ts'
import { platforms, type PlatformCase } from './testing/hostile-platforms.ts'
import {
  readingAccount,
  readingAccounts,
  readingReport,
  startHostilePlatform,
  type Fetching,
  type Exchange,
  type HostilePlatform,
  type Outcome,
} from './testing/hostile.ts'
import type { Mutation } from './testing/hostile-mutation.ts'
import { startTestSandbox, type TestSandbox } from './testing/sandbox.ts'

// Whatever a platform responds, a connector reads what it would have read, or fails as PlatformFailure: never
// another table, no other error, no secret revealed, no other host, no endless fetch.

const NOW = '2026-11-21T04:00:00Z'

let sandbox: TestSandbox
let platform: HostilePlatform
beforeAll(async () => {
  sandbox = await startTestSandbox()
  platform = await startHostilePlatform(sandbox.base_url, NOW)
})
afterEach(() => void vi.restoreAllMocks())
afterAll(async () => {
  platform.stop()
  await sandbox.stop()
})

const names = ['report', 'accounts', 'account'] as const
// The quick form has a fifth of the requests.
const reads = drawn(
  Object.entries(platforms).flatMap(([name, facts]) =>
    names.filter(each => (facts.reads ?? names).includes(each)).map(each => [name, each, facts] as const),
  ),
  5,
  'reads',
)

describe.each(reads)('%s, requested for the %s,', (provider, name, facts) => {
  it('is detected, or does no harm, whatever it responds', async () => {
    const { fetching, truth, exchanges } = await recordedCase(name, facts)
    const wrong: string[] = []
    for (const { exchange, mutation } of chosen(exchanges, `${provider} ${name}`, name)) {
      if (mutation.kind === NEVER) shortenTimeouts()
      let isReplaced = false
      const outcome = await platform.replay(fetching, sent => {
        if (sent.key !== exchange.key || (mutation.once && isReplaced)) return null
        isReplaced = true
        return mutation.replacement()
      })
      vi.restoreAllMocks()
      const why = whyWrong(outcome, { truth, facts, mutation, of: exchange.name })
      if (why !== null) wrong.push(`${exchange.name} | ${mutation.name} | ${why}`)
    }
    expect(wrong).toEqual([])
  })

  it('comes to an end when there is always another page', async () => {
    const { fetching, truth, exchanges } = await recordedCase(name, facts)
    for (const isEmpty of drawn([false, true], 2, `${provider} ${name}`)) {
      let page = 0
      const outcome = await platform.replay(fetching, sent => {
        const first = exchanges.find(each => each.name === sent.name)
        return first && !sent.path.includes('token') ? withoutEnd(first, (page += 1), isEmpty) : null
      })
      expect([isEmpty, whyWrong(outcome, { truth, facts })]).toEqual([isEmpty, null])
    }
  })
})

async function recordedCase(
  name: (typeof names)[number],
  { source, account, report, range, limits }: PlatformCase,
) {
  await sandbox.reset(NOW)
  await sandbox.setLimits(limits)
  const ways: Record<typeof name, Fetching> = {
    report: readingReport(source, { account, range, time: 'date', filters: [], ...report }),
    accounts: readingAccounts(source),
    account: readingAccount(source, account),
  }
  const fetching = ways[name]
  const { truth, exchanges } = await platform.record(fetching)
  expect(truth.length).toBeGreaterThan(10)
  return { fetching, truth, exchanges }
}

/**
 * All of them, or one of every second kind, in any of the responses; of those that cost hundreds of
 * megabytes one, of every third report.
 */
function chosen(
  exchanges: Exchange[],
  about: string,
  name: string,
): { exchange: Exchange; mutation: Mutation }[] {
  const all = exchanges.flatMap(exchange =>
    mutationsOf(exchange, platform.elsewhere).map(mutation => ({ exchange, mutation })),
  )
  if (process.env.LONG) return all
  const random = randomOf(SEED + all.length)
  const anyOf = <Item>(alike: Item[]) => alike.slice(Math.floor(random() * alike.length)).slice(0, 1)
  const [heavy = [], light = []] = [true, false].map(is_heavy =>
    all.filter(({ mutation }) => isHeavy(mutation) === is_heavy),
  )
  const kinds = Object.values(Object.groupBy(light, ({ mutation }) => mutation.kind))
  const hasHeavy = name === 'report' && random() < 1 / 3
  return [...drawn(kinds, 2, about).flatMap((alike = []) => anyOf(alike)), ...(hasHeavy ? anyOf(heavy) : [])]
}

/** Timeouts of minutes pass in as many hundredths of a second. */
function shortenTimeouts(): void {
  const original = AbortSignal.timeout.bind(AbortSignal)
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(ms => original(ms / 6000))
}

const LONGEST_WAIT_MS = 25 * 3_600_000

function whyWrong(
  { end, notes, waits, strayed, secrets }: Outcome,
  {
    truth,
    facts,
    mutation,
    of = '',
  }: { truth: string; facts: PlatformCase; mutation?: Mutation; of?: string },
): string | null {
  if ('wrong' in end) return end.wrong.slice(0, 600)
  if (strayed.length > 0) return `goes elsewhere: ${strayed[0]}`
  const failure = 'failure' in end ? end.failure : null
  const said = inspect([failure, notes], { depth: 10, showHidden: true, maxStringLength: null })
  const leaked = [...facts.secrets, ...secrets].find(
    secret => secret.length > 3 && (said.includes(secret) || said.includes(encodeURIComponent(secret))),
  )
  if (leaked !== undefined) return `reveals ${leaked}: ${said.slice(0, 300)}`
  const odd = [...waits, failure?.retry_after_ms ?? 0].find(wait => !(wait >= 0 && wait <= LONGEST_WAIT_MS))
  if (odd !== undefined) return `waits ${odd} ms`
  if (!('read' in end) || end.read === truth || (mutation && isPlausible(mutation, of, facts))) return null
  return `reads something else: ${differenceOf(end.read, truth)}`
}

/** Mutations that repeat another value of the same kind cannot be detected. */
const isPlausible = ({ kind, place }: Mutation, read: string, { plausible }: PlatformCase) =>
  plausible.some(([where, kinds, of]) => where.test(place) && kinds.test(kind) && (of?.test(read) ?? true))

function differenceOf(read: string, truth: string): string {
  let at = 0
  while (read[at] === truth[at]) at += 1
  return `…${read.slice(Math.max(0, at - 40), at + 60)}… instead of …${truth.slice(Math.max(0, at - 40), at + 60)}…`
}
