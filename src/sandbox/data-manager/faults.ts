import { z } from 'zod'
import { faultFields } from '#sandbox/control/faults.ts'
import { DataManagerError, notAuthenticated, refused } from './errors.ts'

/**
 * One way in which the Data Manager API goes wrong; `account` is a customer id, for requests about members
 * that of the first destination.
 *
 * latency: responds `delay_ms` later.
 * rate_limit: 429, of the quota `quota_limit`.
 * server_error: `status` 500, 503 or 504.
 * cut: does what was requested and breaks the connection in the middle of the response.
 * malformed: responds with broken JSON.
 * expired_token: 401. revoked: 403 for the account.
 * processing_failed: takes the request, and later none of its records, for `reason`
 * (PROCESSING_ERROR_REASON_INTERNAL_ERROR when none is given).
 * error: any other, by `reason` and `status`.
 */
export const DataManagerFault = z.strictObject({
  platform: z.literal('data_manager'),
  ...faultFields,
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  action: z.enum([
    'latency',
    'rate_limit',
    'server_error',
    'cut',
    'malformed',
    'expired_token',
    'revoked',
    'processing_failed',
    'error',
  ]),
  status: z.int().min(400).max(599).optional(),
  reason: z.string().optional(),
  quota_limit: z.string().optional(),
})
export type DataManagerFault = z.infer<typeof DataManagerFault>

/** Refuses as the armed faults say. */
export function refuseByFault(hits: readonly DataManagerFault[]): void {
  for (const { action, status, reason, quota_limit: limit } of hits) {
    const metadata = { quota_limit: limit ?? 'IngestionMutateRequestsPerMinutePerProject' }
    if (action === 'rate_limit') throw refused('RESOURCE_EXHAUSTED', { status: 429, metadata })
    if (action === 'server_error')
      throw new DataManagerError(status ?? 500, 'The service is currently unavailable.')
    if (action === 'expired_token') throw notAuthenticated('ACCESS_TOKEN_EXPIRED')
    if (action === 'revoked') throw refused('PERMISSION_DENIED', { status: 403 })
    if (action === 'error') throw refused(reason ?? 'INVALID_ARGUMENT', { status: status ?? 400 })
  }
}
