import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { countedList, firstTime } from '#server/connectors/kit/lists.ts'
import { LyAccounts, LyReportJobs, type LyAccount, type LyIo } from '#server/connectors/yahoo/schema.ts'
import { callApi, numberOf, type LyProvider } from './client.ts'

const PROVIDERS = ['ly_search', 'ly_display'] as const
const PAGE_ITEMS = 200

/**
 * Every account of both products: those below a manager through it, then those that the login has rights on
 * by itself. A login may have rights at one product only.
 */
export async function* listAccounts(io: LyIo): AsyncGenerator<PlatformAccount[]> {
  let refusal: unknown = null
  let hasProduct = false
  for (const provider of PROVIDERS) {
    try {
      yield* accountsAt(provider, io)
      hasProduct = true
    } catch (error) {
      if (!(error instanceof PlatformFailure) || error.code !== 'account_access_lost') throw error
      refusal = error
    }
  }
  if (!hasProduct) throw refusal
}

export async function checkAccount(account: AccountRef, io: LyIo): Promise<PlatformAccount> {
  const provider = productOf(account)
  const { external_id } = account
  const id = numberOf(external_id)
  const base = account.via ?? external_id
  const call = { provider, base, account: external_id }
  // The list has accounts whose reports the login may not read, so one is requested.
  const selector = `{"accountId":${id},"numberResults":1,"startIndex":1}`
  await callApi({ ...call, operation: 'ReportDefinitionService/get', body: selector }, LyReportJobs, io)
  const { values } = await callApi(
    {
      ...call,
      operation: 'AccountService/get',
      body: `{"accountIds":[${id}],"numberResults":${PAGE_ITEMS},"startIndex":1}`,
    },
    LyAccounts,
    io,
  )
  const found = values.find(value => value.account.accountId === external_id)
  if (!found) throw new PlatformFailure('account_access_lost')
  if (base === external_id) return accountOf(found.account, { provider, base: null })
  const bases = (await Array.fromAsync(baseAccounts(provider, io))).flat()
  const manager = bases.find(({ accountId }) => accountId === base)
  if (!manager) throw new PlatformFailure('account_access_lost')
  return accountOf(found.account, { provider, base: manager })
}

export function productOf({ provider }: AccountRef): LyProvider {
  if (provider === 'ly_search' || provider === 'ly_display') return provider
  throw new PlatformFailure('platform_error', { platform_message: `${provider} is not of LY Ads` })
}

async function* accountsAt(provider: LyProvider, io: LyIo): AsyncGenerator<PlatformAccount[]> {
  const isNew = firstTime()
  const fresh = (accounts: LyAccount[], base: LyAccount | null) =>
    accounts
      .filter(({ accountId, isMccAccount }) => isMccAccount !== 'TRUE' && isNew(accountId))
      .map(account => accountOf(account, { provider, base }))
  const bases = (await Array.fromAsync(baseAccounts(provider, io))).flat()
  for (const base of bases.filter(({ isMccAccount }) => isMccAccount === 'TRUE')) {
    const selector = { includeTestAccount: 'EXCLUDE_TEST' }
    const pages = pagesOf({ provider, operation: 'AccountService/get', selector, base: base.accountId }, io)
    for await (const accounts of pages) yield fresh(accounts, base)
  }
  yield fresh(bases, null)
}

/** What the login has direct rights on, managers included. */
function baseAccounts(provider: LyProvider, io: LyIo) {
  const selector = { includeMccAccount: 'ALL', includeTestAccount: 'EXCLUDE_TEST' }
  return pagesOf({ provider, operation: 'BaseAccountService/get', selector, base: null }, io)
}

function pagesOf(
  {
    selector,
    ...list
  }: { provider: LyProvider; operation: string; selector: Record<string, string>; base: string | null },
  io: LyIo,
): AsyncGenerator<LyAccount[]> {
  const from = async (start: number) => {
    const body = JSON.stringify({ ...selector, numberResults: PAGE_ITEMS, startIndex: start })
    const { totalNumEntries, values } = await callApi({ ...list, body, account: null }, LyAccounts, io)
    return { items: values.map(({ account }) => account), total: totalNumEntries }
  }
  return countedList({ from, idOf: ({ accountId }) => accountId }, list.operation)
}

/** LY sells in Japan alone: the currency is always yen, the days are Japan's. */
function accountOf(
  { accountId, accountName, accountStatus }: LyAccount,
  { provider, base }: { provider: LyProvider; base: LyAccount | null },
): PlatformAccount {
  return {
    provider,
    external_id: accountId,
    name: accountName,
    status: accountStatus === 'SERVING' ? 'enabled' : 'disabled',
    currency: 'JPY',
    timezone: 'Asia/Tokyo',
    owner_name: base?.accountName ?? null,
    via: base?.accountId ?? accountId,
    analytics: null,
  }
}
