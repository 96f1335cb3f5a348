import { Actions, ActionsQuery, ConversionChannel } from '#shared/api/insight-settings.ts'
import { refuse } from '#server/http/refusal.ts'
import { route } from '#server/http/route.ts'
import { usableAccounts } from '#server/resources/ad-accounts/queries.ts'
import { advertisersOf } from '#server/resources/people/queries.ts'
import { conversionRoutes } from './conversion-routes.ts'
import { labelRoutes } from './label-routes.ts'
import { metricRoutes } from './metric-routes.ts'
import { rateImportRoute } from './rate-import-route.ts'
import { rateRoutes } from './rate-routes.ts'

const readActions = route('GET', '/api/insight-setting/conversions/actions/', {
  summary: 'List what an ad account counted as conversions in the last 90 days, by the platform’s names.',
  level: 'staff',
  kind: 'search',
  query: ActionsQuery,
  reply: Actions,
  transaction: 'own',
  async run({ query: { ad_account: id }, user, db, effects }) {
    const [account] = await usableAccounts(db, { advertisers: await advertisersOf(db, user) }, [id])
    const channel = ConversionChannel.safeParse(account?.channel)
    // An account that the person may not use is treated like one that does not exist.
    if (!account || !channel.success)
      throw refuse('invalid', { fields: { ad_account: ['field_not_available'] } })
    return { channel: channel.data, ...(await effects.accountActions(account)) }
  },
})

export const insightSettingsRoutes = [
  ...metricRoutes,
  readActions,
  ...conversionRoutes,
  ...labelRoutes,
  ...rateRoutes,
  rateImportRoute,
]
