import type { Check } from '#shared/api/ec-spend.ts'

/** Why an account is let through, by its id. */
export type Waivers = ReadonlyMap<number, string>

export interface WaiversProps {
  waivers: Waivers
  onWaivers: (waivers: Waivers) => void
}

export function withWaiver(waivers: Waivers, account: number, reason: string | null): Waivers {
  const next = new Map(waivers)
  if (reason === null) next.delete(account)
  else next.set(account, reason)
  return next
}

/** Whether a reason is given for what a check says of an account. */
export const isWaived = ({ can_waive, ad_account }: Check, waivers: Waivers) =>
  can_waive && ad_account !== null && (waivers.get(ad_account) ?? '').trim() !== ''
