import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { accountsOf } from './data.ts'
import type { Draft } from './draft.ts'
import { examples, filledWith, type ExampleName, type Filled } from './examples.ts'

/** A draft filled from an example; null while it is not known which accounts one may use. */
export function useExample(name: ExampleName, blank: Draft): Filled | null {
  const channels = [...new Set(examples[name].channels.map(accountChannelOf))]
  const accounts = useQueries({ queries: channels.map(accountsOf), combine: allOrNothing })
  return accounts && filledWith(blank, name, accounts)
}

/** What could not be read counts as not usable; the field itself says why. */
const allOrNothing = (results: UseQueryResult<AdAccount[]>[]) =>
  results.some(({ isPending }) => isPending) ? null : results.flatMap(({ data }) => data ?? [])
