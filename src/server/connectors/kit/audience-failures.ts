import type { AccountAccess } from '#server/connectors/audience.ts'
import type { PlatformErrorCode } from '#server/connectors/connector.ts'
import { accessResults } from '#shared/audiences.ts'
import { Refusal } from './failures.ts'
import { lookup } from './lookup.ts'

/** What a platform's reasons mean where audiences are concerned, beyond what they mean for reports. */
type ByReason = Readonly<Record<string, PlatformErrorCode>>

/** The same step, with its refusals in the words of audiences. */
export async function asAudienceStep<Result>(step: Promise<Result>, byReason: ByReason): Promise<Result> {
  try {
    return await step
  } catch (error) {
    throw error instanceof Refusal ? inWordsOfAudiences(error, byReason) : error
  }
}

function inWordsOfAudiences(refusal: Refusal, byReason: ByReason): Refusal {
  const code = lookup(byReason, refusal.reason) ?? (ofReports[refusal.code] || refusal.code)
  return new Refusal(code, {
    reason: refusal.reason,
    retry_after_ms: refusal.retry_after_ms,
    platform_message: refusal.platform_message,
    platform_request_id: refusal.platform_request_id,
    cause: refusal.cause,
  })
}

const ofReports: Partial<Record<PlatformErrorCode, PlatformErrorCode>> = { account_access_lost: 'no_access' }

/** What a check comes to: a refusal is a result too, and whatever else goes wrong is none. */
export async function accessOf(
  check: Promise<AccountAccess>,
  { byReason, fix_url }: { byReason: ByReason; fix_url: string | null },
): Promise<AccountAccess> {
  try {
    return await asAudienceStep(check, byReason)
  } catch (error) {
    const result = error instanceof Refusal && accessResults.find(each => each === error.code)
    if (!result) throw error
    return { result, business: null, fix_url, message: error.platform_message }
  }
}
