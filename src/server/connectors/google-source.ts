import { errorFacts } from '#shared/errors.ts'
import {
  PlatformFailure,
  sourceOf,
  type ConnectorContext,
  type PlatformAccount,
  type Source,
} from './connector.ts'
import { ga4 } from './ga4/report.ts'
import { googleAds } from './google-ads/report.ts'
import { universalAnalytics } from './universal-analytics/report.ts'

/**
 * A person's consent at Google serves Google Ads and both kinds of Analytics: the account decides which of
 * them is asked.
 */
export function googleSource(login: unknown): Source {
  const ads = sourceOf(googleAds, login)
  const analytics = sourceOf(ga4, login)
  const universal = sourceOf(universalAnalytics, login)
  const sourceFor = ({ provider }: { provider: string }) =>
    provider === 'google_ads' ? ads : provider === 'ga4' ? analytics : universal
  return {
    login_id: ads.login_id,
    listAccounts: context => accountsOf({ living: [ads, analytics], retired: universal }, context),
    checkAccount: (account, context) => sourceFor(account).checkAccount(account, context),
    prepare: (request, context) => sourceFor(request.account).prepare(request, context),
    fetchReport: (request, context) => sourceFor(request.account).fetchReport(request, context),
    listActions: (account, context) => sourceFor(account).listActions(account, context),
    listAudiences: (account, context) => sourceFor(account).listAudiences(account, context),
  }
}

/**
 * A product that the person has not agreed to, or does not have, is none of theirs; only when that is so of
 * both of them is the login refused. One that is away for a moment would be missing from what is imported.
 */
async function* accountsOf(
  { living, retired }: { living: readonly Source[]; retired: Source },
  context: ConnectorContext,
): AsyncGenerator<PlatformAccount[]> {
  const refusals: PlatformFailure[] = []
  for (const source of living) {
    const refusal = yield* untilRefused(source, context)
    if (refusal && errorFacts(refusal.code).retried) throw refusal
    if (refusal) refusals.push(refusal)
  }
  const [first] = refusals
  if (first && refusals.length === living.length) throw first
  // Google has shut it down: how that fails says nothing.
  yield* untilRefused(retired, context)
}

/** Its accounts; returns the failure that they ended with. */
async function* untilRefused(
  source: Source,
  context: ConnectorContext,
): AsyncGenerator<PlatformAccount[], PlatformFailure | null> {
  try {
    yield* source.listAccounts(context)
    return null
  } catch (error) {
    if (error instanceof PlatformFailure) return error
    throw error
  }
}
