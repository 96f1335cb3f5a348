import type { Check } from '#shared/api/ec-spend.ts'
import type { SpendChannel } from '#shared/api/money.ts'

/** A check, and all the channels of its advertiser that it holds for. */
export interface CheckGroup {
  check: Check
  channels: readonly SpendChannel[]
}

/**
 * The checks as people work them off: months are locked one after another, so the first open one stands for
 * all; an advertiser without an agreement is one matter, however many channels and currencies it has.
 */
export function checkGroups(checks: readonly Check[]): CheckGroup[] {
  const groups = Map.groupBy(checks, ({ code, advertiser, ...check }) => {
    if (code === 'earlier_month_open') return code
    if (code === 'no_agreement') return `${code} ${advertiser}`
    return [code, ...Object.values(check)].join(' ')
  })
  return [...groups.values()].flatMap(([check, ...others]) => {
    if (!check) return []
    const channels = [check, ...others].map(({ channel }) => channel).filter(channel => channel !== null)
    return [{ check, channels: [...new Set(channels)] }]
  })
}
