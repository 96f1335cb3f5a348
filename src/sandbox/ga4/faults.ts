import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'
import { AnalyticsError, exhausted, noAccess, notAuthenticated, serviceDisabled } from './errors.ts'

/**
 * One way in which GA4 goes wrong; `account` is a property id.
 *
 * latency: responds `delay_ms` later.
 * rate_limit: 429 in the words of `quota` (project_hour when none is given).
 * server_error: `status` 500, 503 or 504; uses up the quota of server errors.
 * cut: breaks the connection in the middle.  malformed: responds with broken JSON.
 * expired_token: 401.  revoked: 403 for the property.  service_disabled: 403, the API is off in the project.
 * truncated: responds, and says that some dates are missing.
 * error: any other, by `status` and `message`.
 */
export const Ga4Fault = z.strictObject({
  platform: z.literal('ga4'),
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
    'service_disabled',
    'truncated',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  message: z.string().optional(),
  quota: z.enum(['concurrent', 'project_hour', 'hour', 'day', 'thresholded', 'server_errors']).optional(),
})
export type Ga4Fault = z.infer<typeof Ga4Fault>

/** Refuses as the armed faults say. */
export function refuseByFault(hits: readonly Ga4Fault[]): void {
  for (const { action, quota, status, message } of hits) {
    if (action === 'rate_limit') throw exhausted(quota ?? 'project_hour')
    if (action === 'server_error')
      throw new AnalyticsError(status ?? 500, message ?? 'Internal error encountered.')
    if (action === 'expired_token') throw notAuthenticated('ACCESS_TOKEN_EXPIRED')
    if (action === 'revoked') throw noAccess()
    if (action === 'service_disabled') throw serviceDisabled()
    if (action === 'error') throw new AnalyticsError(status ?? 400, message ?? 'The request was refused.')
  }
}
