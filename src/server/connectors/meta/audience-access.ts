import type { AccessResult } from '#shared/audiences.ts'
import type { AccountAccess } from '#server/connectors/audience.ts'
import { PlatformFailure, type AccountRef } from '#server/connectors/connector.ts'
import { callAudiences } from './audience-calls.ts'
import { ACCOUNT_STANDING_FIELDS, AccountStanding, isDelivering, type MetaIo, Permissions } from './schema.ts'

/** Whether audiences can be made in an account. */
export async function checkAccess({ external_id }: AccountRef, io: MetaIo): Promise<AccountAccess> {
  const params = { fields: ACCOUNT_STANDING_FIELDS }
  const call = { path: `act_${external_id}`, params, account: external_id }
  try {
    const [standing, mayWrite] = await Promise.all([
      callAudiences(call, AccountStanding, io),
      hasPermission(io),
    ])
    const result = mayWrite ? resultOf(standing) : 'no_access'
    return {
      result,
      business: standing.business?.id ?? null,
      fix_url:
        result === 'terms_not_accepted' ? `${io.hosts.meta_business}${TERMS}?act=${external_id}` : null,
      message: mayWrite ? null : `${PERMISSION} is not granted`,
    }
  } catch (error) {
    const result = error instanceof PlatformFailure ? refusals[error.code] : undefined
    if (!(error instanceof PlatformFailure) || result === undefined) throw error
    return { result, business: null, fix_url: null, message: error.platform_message }
  }
}

/** A token may read an account and not change anything in it. */
async function hasPermission(io: MetaIo): Promise<boolean> {
  const { data } = await callAudiences({ path: 'me/permissions', account: null }, Permissions, io)
  return data.some(({ permission, status }) => permission === PERMISSION && status === 'granted')
}

const PERMISSION = 'ads_management'

/** In the order in which somebody would mend it. */
function resultOf({ account_status, tos_accepted, business, user_tasks }: AccountStanding): AccessResult {
  if (!isDelivering(account_status)) return 'account_inactive'
  if (user_tasks && !user_tasks.some(task => WRITING.has(task))) return 'read_only'
  if (!business) return 'not_claimed_by_business'
  return tos_accepted?.custom_audience_tos ? 'ok' : 'terms_not_accepted'
}

const WRITING: ReadonlySet<string> = new Set(['MANAGE', 'ADVERTISE'])
/** A person of the owning business accepts them; a system user cannot. */
const TERMS = '/ads/manage/customaudiences/tos/'

const refusals: Partial<Record<PlatformFailure['code'], AccessResult>> = {
  no_access: 'no_access',
  credential_expired: 'credential_expired',
}
