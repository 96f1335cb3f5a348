import { refuse } from '#server/http/refusal.ts'
import type { SignedInUser } from '#server/http/session.ts'

export const BULK = '/api/gs-template-setting/care/'

/** Everybody's reports are for superusers. */
export function refuseScope(user: SignedInUser, scope: 'mine' | 'all'): void {
  if (scope === 'all' && user.identity !== 'superuser') throw refuse('forbidden')
}
