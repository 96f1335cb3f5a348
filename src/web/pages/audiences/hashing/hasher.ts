// oxlint-disable-next-line import/default -- vite makes one: the address.
import address from './hash-worker.ts?worker&url'
import { callThrough, type Hasher } from './messages.ts'

/** Starts a thread that hashes, until it is closed. */
export function startHasher(): Hasher {
  const worker = new Worker(trusted(address), { type: 'module', name: 'hashing' })
  return callThrough(worker, () => worker.terminate())
}

/** The policy of pages lets no text become the address of a script; this one is a file of the build. */
function trusted(script: string): string {
  policy ??= globalThis.trustedTypes?.createPolicy('sheetcast', {
    createScriptURL: url => {
      if (url !== address) throw new TypeError('no script of ours')
      return url
    },
  })
  return policy?.createScriptURL(script) ?? script
}

let policy: TrustedPolicy | undefined

interface TrustedPolicy {
  /** A TrustedScriptURL, which stands wherever such an address does. */
  createScriptURL: (url: string) => string
}

declare global {
  /** Of browsers that have it. */
  var trustedTypes:
    | {
        createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => TrustedPolicy
      }
    | undefined
}
