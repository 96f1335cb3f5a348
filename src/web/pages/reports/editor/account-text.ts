import type { AdAccount } from '#shared/api/ad-accounts.ts'

type Named = Pick<AdAccount, 'name' | 'ga_account_name' | 'property_name' | 'channel'>

/** The path of a view or property: "GA account › property › view"; ad accounts have a name alone. */
export const accountPath = (account: Named): string => partsOf(account).join(' › ')

/** The shortest text that identifies it among its neighbours. */
export const accountShort = (account: Named): string =>
  account.channel === 'ga' ? partsOf(account).slice(-2).join(' › ') : account.name

/** A GA4 property is called like its account is listed: by the property itself. */
function partsOf({ name, ga_account_name, property_name, channel }: Named): string[] {
  const parts = channel === 'ga' ? [ga_account_name, property_name, name] : [ga_account_name, name]
  return parts.filter(part => part !== null)
}

/** Everything that people know an account by, in one line. */
export function accountFacts(account: AdAccount, words: { provider: string | null }): string {
  const { external_id, property_id, ga_account_id, currency, timezone, ecid, channel } = account
  const ids = channel === 'ga' ? [ga_account_id, property_id, external_id] : [ga_account_id, external_id]
  const path = partsOf(account)
  return [
    path.length > 1 && path.join(' › '),
    words.provider,
    ids.filter(id => id !== null).join(' › '),
    currency,
    timezone.replaceAll('_', ' '),
    ecid,
  ]
    .filter(Boolean)
    .join(' · ')
}
