import { PlatformFailure, type AccountRef, type PlatformAccount } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import {
  DspAdvertisers,
  DspCurrencies,
  type DspAdvertiser,
  type DspIo,
} from '#server/connectors/yahoo/schema.ts'
import { callApi } from './client.ts'

/** Every advertiser of the seat. */
export async function* listAdvertisers(io: DspIo): AsyncGenerator<PlatformAccount[]> {
  yield await advertisers(io)
}

export async function checkAdvertiser({ external_id }: AccountRef, io: DspIo): Promise<PlatformAccount> {
  const found = (await advertisers(io)).find(account => account.external_id === external_id)
  if (!found) throw new PlatformFailure('account_access_lost')
  return found
}

/** The number of a currency in requests for reports. */
export async function currencyNumber(code: string, io: DspIo): Promise<number> {
  const found = (await currencies(io)).find(currency => currency.code === code)
  if (!found) throw new PlatformFailure('platform_error', { platform_message: `no currency ${code}` })
  return found.id
}

async function currencies(io: DspIo) {
  const call = { host: 'yahoo_dsp', path: '/traffic/currencies', account: null } as const
  return (await callApi(call, DspCurrencies, io)).response
}

async function advertisers(io: DspIo): Promise<PlatformAccount[]> {
  const call = { host: 'yahoo_dsp', path: '/traffic/advertisers', account: null } as const
  const { response } = await callApi(call, DspAdvertisers, io)
  const hasNumbers = response.some(({ currency }) => typeof currency === 'number')
  const codes = new Map((hasNumbers ? await currencies(io) : []).map(({ id, code }) => [id, code]))
  const accounts = response.map(advertiser => {
    const { currency } = advertiser
    const code = typeof currency === 'string' ? currency : codes.get(currency)
    if (code === undefined || !/^[A-Z]{3}$/.test(code))
      throw unreadable(`a currency without a code: ${currency}`)
    return accountOf(advertiser, code)
  })
  return [...new Map(accounts.map(account => [account.external_id, account])).values()]
}

function accountOf({ id, name, status, timezone }: DspAdvertiser, currency: string): PlatformAccount {
  return {
    provider: 'yahoo_dsp',
    external_id: id,
    name,
    status: status === 'ACTIVE' || status == null ? 'enabled' : 'disabled',
    currency,
    timezone,
    owner_name: null,
    via: null,
    analytics: null,
  }
}
