import type { Fault } from './faults.ts'
import {
  backendError,
  driveErrorBody,
  insufficientPermissions,
  notAuthenticated,
  rateLimited,
} from '#sandbox/drive/errors.ts'
import type { DriveRefusal } from '#sandbox/drive/errors.ts'
import {
  internalError,
  notPermitted,
  sheetsErrorBody,
  unauthenticated,
  unavailable,
} from '#sandbox/sheets/errors.ts'
import type { Refusal } from '#sandbox/sheets/errors.ts'
import { exceeded, QUOTA } from '#sandbox/sheets/quota.ts'
import { json } from '#sandbox/sheets/wire.ts'
import type { HttpResponse } from '#sandbox/sheets/wire.ts'

type Refused = Partial<Record<Fault['action'], (method: string) => Refusal>>

const sheets: Refused = {
  '429': method => exceeded(method === 'GET' ? 'read' : 'write', 'User', QUOTA.per_user),
  '500': internalError,
  '503': unavailable,
  expired_token: unauthenticated,
  forbidden: notPermitted,
}

const drive: Partial<Record<Fault['action'], () => DriveRefusal>> = {
  '429': rateLimited,
  '500': () => backendError(500),
  '503': () => backendError(503),
  expired_token: notAuthenticated,
  forbidden: insufficientPermissions,
}

/** The response of a fault that responds by itself; null for one that does something else. */
export function faultResponse({ action, platform }: Fault, method: string): HttpResponse | null {
  if (platform === 'drive') {
    const refusal = drive[action]?.()
    return refusal ? json(driveErrorBody(refusal), refusal.code) : null
  }
  const refusal = sheets[action]?.(method)
  return refusal ? json(sheetsErrorBody(refusal), refusal.code) : null
}
