import { timingSafeEqual } from 'node:crypto'
import type { Vault } from '#server/vault.ts'

/** What a link leads to: one size of one row. */
export interface LinkTarget {
  kind: 'image' | 'file'
  id: number
  size: 'original' | '320' | '1280'
}

/** As its link has it in the query. */
export interface LinkSignature {
  /** Seconds since 1970. */
  expires: number
  signature: string
}

/** Anybody who has such a link may read what it leads to, for 15 to 20 minutes: an `<img>` sends no token. */
export interface SignedLinks {
  sign(target: LinkTarget, now: Date): LinkSignature
  /** Until when the link is good; null: it is not, or no longer. */
  verify(target: LinkTarget, signature: LinkSignature, now: Date): Date | null
}

const LEAST_S = 15 * 60
/** Within a step the same link is made again, so that browsers show what they already have. */
const STEP_S = 5 * 60

export function createSignedLinks({ signatureOf }: Pick<Vault, 'signatureOf'>): SignedLinks {
  const proofOf = ({ kind, id, size }: LinkTarget, expires: number) =>
    signatureOf(JSON.stringify([kind, id, size, expires]), 'links')
  return {
    sign(target, now) {
      const expires = Math.ceil(now.getTime() / 1000 / STEP_S) * STEP_S + LEAST_S
      return { expires, signature: proofOf(target, expires).toString('base64url') }
    },
    verify(target, { expires, signature }, now) {
      const proof = proofOf(target, expires)
      const claimed = Buffer.from(signature, 'base64url')
      if (claimed.length !== proof.length || !timingSafeEqual(claimed, proof)) return null
      return expires * 1000 > now.getTime() ? new Date(expires * 1000) : null
    },
  }
}
