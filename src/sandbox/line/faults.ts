import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'

/**
 * One way in which LINE goes wrong. It stays until it is switched off, or for `count` fitting requests after
 * `skip` of them. `account` is an ad account id, `path` a regular expression over the path.
 *
 * latency: responds `delay_ms` later, otherwise as usual.
 * rate_limit: 429 without a body.  quota: an online report beyond its quota.
 * server_error: 500 with the reason UNKNOWN; with another `status`, a page that is no JSON.
 * cut: breaks the connection in the middle of the response.  malformed: responds with half of it.
 * unauthorized: 401, as for a key that was regenerated.  revoked: the link to the account is gone.
 * locked: LOCK_DEFAULT.
 * upload_failed: uploads to audiences that are taken now fail later.
 * report_failed, report_slow: the outcome of the reports that are created now; slow ones hang for
 * `looks` polls. old_labels, no_bom: what files look like that are downloaded now. error: any other, by
 * `status`, `reason` and `property`.
 */
export const LineFault = z.strictObject({
  platform: z.literal('line'),
  ...faultFields,
  account: z.string().max(40).optional(),
  method: z.enum(['GET', 'POST', 'DELETE']).optional(),
  action: z.enum([
    'latency',
    'rate_limit',
    'quota',
    'server_error',
    'cut',
    'malformed',
    'unauthorized',
    'revoked',
    'locked',
    'upload_failed',
    'report_failed',
    'report_slow',
    'old_labels',
    'no_bom',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  reason: z.string().optional(),
  property: z.string().optional(),
  looks: z.int().positive().max(10_000).optional(),
})
export type LineFault = z.infer<typeof LineFault>
