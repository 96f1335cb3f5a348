import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'

const PLATFORMS = ['ly_search', 'ly_display', 'ly_oauth', 'yahoo_dsp'] as const
export type YahooPlatform = (typeof PLATFORMS)[number]

/**
 * One way in which Yahoo goes wrong. It stays until it is switched off, or for `count` fitting requests after
 * `skip` of them. `account` is the account that the request is about, `path` a regular expression over the
 * path.
 *
 * latency: responds `delay_ms` later, otherwise as usual.
 * rate_limit: too many requests (LY: 403 with code 0003; DSP: 429).
 * server_error: `status` 500 (LY: code 0002), 503 (LY: code 0099, maintenance), others as a page that is no
 * JSON. cut: breaks the connection in the middle of the response. malformed: half of the response.
 * expired_token, revoked: the login's or the account's access is gone. job_failed, job_canceled: the outcome
 * of the report jobs that are started now (canceled: display only). job_slow: the report jobs that are
 * started now wait for `looks` polls and run for as many. download_error: a finished report returns JSON
 * instead of a file. bom: files begin with a byte order mark. error: any other, by `status`, `code` and
 * `message`.
 */
export const YahooFault = z.strictObject({
  platform: z.enum(PLATFORMS),
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
    'job_failed',
    'job_canceled',
    'job_slow',
    'download_error',
    'bom',
    'error',
  ]),
  status: z.int().min(200).max(599).optional(),
  code: z.string().optional(),
  message: z.string().optional(),
  looks: z.int().positive().max(10_000).optional(),
})
export type YahooFault = z.infer<typeof YahooFault>
