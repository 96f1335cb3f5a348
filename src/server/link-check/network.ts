import { Resolver } from 'node:dns/promises'
import { connect, isIP, isIPv6, type LookupFunction } from 'node:net'
import type { FollowEffects } from './follow-link.ts'
import type { Dial } from './request-head.ts'

const DEADLINE_MS = 5000

/** The network as it is, for following links. */
export const followNetwork = (stopping: AbortSignal, deadlineMs = DEADLINE_MS): FollowEffects => ({
  resolve,
  dial,
  deadline: () => AbortSignal.any([AbortSignal.timeout(deadlineMs), stopping]),
})

/**
 * By DNS alone: names of the machine's own hosts file, and those that become whole by a search domain, are
 * none of the internet. An address stands for itself.
 */
async function resolve(name: string, signal: AbortSignal): Promise<string[]> {
  if (isIP(name)) return [name]
  if (signal.aborted) return []
  const resolver = new Resolver({ timeout: 2000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    return signal.aborted ? [] : found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Tries one address after the other, as Node does with those of a name; the name itself is not asked for. */
const dial: Dial = ({ addresses, port }) => {
  const lookup: LookupFunction = (_name, _options, done) =>
    done(
      null,
      addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 })),
    )
  return connect({
    host: 'checked.invalid',
    port,
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1000,
  })
}
