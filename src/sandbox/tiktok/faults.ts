import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'

/**
 * One way in which TikTok goes wrong. It stays until it is switched off, or for `count` fitting requests
 * after `skip` of them. `account` is an advertiser id, `path` a regular expression over the path.
 *
 * latency: responds `delay_ms` later, otherwise as usual.
 * rate_limit: 40100 (or `code`). `window`: second (this request only), minute (locks the app for five
 * minutes), day (until 00:00 UTC), advertiser (40133).
 * server_error: code 50000 (or `code`: 50002, 51305, 60001) in the usual form; with a `status`, a page that
 * is no JSON. cut: breaks the connection in the middle of the response. malformed: responds with broken JSON.
 * expired_token, revoked: the token's access is gone; with an `account`, only that to the advertiser.
 * partial: responds to all with code 20001. async_failed, async_slow: the outcome of the report tasks that
 * are created now; slow ones hang for `looks` polls. repeat_page: instead of a page of a report the rows
 * of the page before it once more. reorder: cuts a page of a report out of the list in another order; when
 * that lasts, no row is lost by it. error: any other, by `code` and `message`.
 */
export const TikTokFault = z.strictObject({
  platform: z.literal('tiktok'),
  ...faultFields,
  method: z.enum(['GET', 'POST']).optional(),
  action: z.enum([
    'latency',
    'rate_limit',
    'server_error',
    'cut',
    'malformed',
    'expired_token',
    'revoked',
    'partial',
    'async_failed',
    'async_slow',
    'repeat_page',
    'reorder',
    'error',
  ]),
  window: z.enum(['second', 'minute', 'day', 'advertiser']).optional(),
  status: z.int().min(500).max(599).optional(),
  code: z.int().optional(),
  message: z.string().optional(),
  looks: z.int().positive().max(10_000).optional(),
})
export type TikTokFault = z.infer<typeof TikTokFault>
