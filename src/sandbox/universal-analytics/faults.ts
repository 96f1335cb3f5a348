import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'

/**
 * One way in which Universal Analytics goes wrong. It stays until it is switched off, or for `count` fitting
 * requests after `skip` of them. `account` is the number of a view.
 *
 * latency: responds `delay_ms` later. cut: breaks the connection in the middle of the response. malformed:
 * half of it. rate_limit: 429 in reports, 403 userRateLimitExceeded in the management API. server_error:
 * `status` 500 or 503. expired_token, revoked: access is gone. shutdown: the platform is gone; `status` 403
 * (JSON), 404 (a page) or 410. other_row: a report has at most `rows` rows, the rest is one called (other).
 * error: any other, by `status`, `code` (the word of the status) and `message`.
 */
export const UaFault = z.strictObject({
  platform: z.literal('ua'),
  ...faultFields,
  method: z.enum(['GET', 'POST']).optional(),
  action: z.enum([
    'latency',
    'cut',
    'malformed',
    'rate_limit',
    'server_error',
    'expired_token',
    'revoked',
    'shutdown',
    'other_row',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  rows: z.int().positive().optional(),
})
export type UaFault = z.infer<typeof UaFault>
