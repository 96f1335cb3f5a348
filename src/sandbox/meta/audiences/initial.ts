import type { Account } from '#sandbox/dataset/agency.ts'
import type { Audience } from './audience.ts'
import { audienceId } from './audience-id.ts'

/** What every account has from the start. */
export function initialAudiences(account: Account): Audience[] {
  const at = 1_760_000_000_000 + account.number * 1000
  const size = (index: number) => 1000 * (account.number + 3 * index)
  const buyers = audienceId(account, 1)
  const named: Pick<Audience, 'name' | 'content'>[] = [
    {
      name: 'Website visitors 30 days',
      content: {
        subtype: 'WEBSITE',
        rule: '',
        retention_days: 30,
        prefill: true,
        pixel_fires: true,
        size: size(0),
      },
    },
    {
      name: 'Buyers "VIP" 2026',
      content: {
        subtype: 'CUSTOM',
        source: 'USER_PROVIDED_ONLY',
        people: new Set(),
        others: size(1),
        replacement: null,
      },
    },
    {
      name: 'Lookalike 1% – Buyers',
      content: {
        subtype: 'LOOKALIKE',
        origin_id: buyers,
        spec: { ratio: 0.01, country: 'TW' },
        size: size(2),
      },
    },
    { name: '=1+1 名單 🎯', content: { subtype: 'ENGAGEMENT', retention_days: 365 } },
  ]
  return named.map((audience, index) => ({
    ...audience,
    id: audienceId(account, index),
    account,
    description: `${audience.name} of ${account.advertiser}`,
    created_at: at,
    changed_at: at,
    filling: { until: 0, size_before: 0, replaces: false },
    recipients: new Set<string>(),
  }))
}
