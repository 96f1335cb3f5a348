import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { ImportReply } from '#shared/api/customers.ts'
import type {
  CreateExchangeRate,
  ExchangeRate,
  ExchangeRateList,
  RateFormat,
  RateImportQuery,
  UpdateExchangeRate,
} from '#shared/api/insight-settings.ts'
import { client } from '#web/client/client.ts'
import { readAll } from '#web/client/list-pages.ts'
import type { Problem } from '#web/client/problem.ts'
import { SETTINGS, useChange } from '#web/pages/insight-settings/data.ts'

export const RATES = `${SETTINGS}rates/`

/** The rates of some months, with what all of them have in common. */
export interface Rates {
  /** One unit of a currency is so many of this one. */
  base: string
  /** Currencies of the ad accounts. */
  in_use: readonly string[]
  rates: readonly ExchangeRate[]
}

export const useRates = (from: string, to: string) =>
  useQuery<Rates, Problem>({
    queryKey: ['insight-settings', 'rates', from, to],
    queryFn: async ({ signal }) => {
      const heads: Pick<Rates, 'base' | 'in_use'>[] = []
      const rates = await readAll(async rows => {
        const page = await client.get<z.infer<typeof ExchangeRateList>>(RATES, {
          query: { from, to, ordering: '-month', ...rows },
          signal,
        })
        heads.push(page)
        return page
      })
      return { base: heads[0]?.base ?? '', in_use: heads[0]?.in_use ?? [], rates }
    },
  })

/** A first rate of a month and currency, or the one that is there with another figure. */
export const useSaveRate = (rate: ExchangeRate | null) =>
  useChange(({ month, currency, ...facts }: z.input<typeof CreateExchangeRate>) => {
    if (rate === null) return client.post<ExchangeRate>(RATES, { body: { month, currency, ...facts } })
    const body: z.input<typeof UpdateExchangeRate> = { ...facts, version: rate.version }
    return client.patch<ExchangeRate>(`${RATES}${rate.id}/`, { body })
  })

export const useDeleteRate = () =>
  useChange(({ id, version }: Pick<ExchangeRate, 'id' | 'version'>) =>
    client.delete<null>(`${RATES}${id}/`, { body: { version } }),
  )

export type RatePrice = RateImportQuery['price']

export interface RateFile {
  file: File
  format: RateFormat
  /** Of a file that has the rates of one day. */
  month: string | null
  price: RatePrice | null
  /** Of a history, the first month that is read. */
  from: string | null
  dry_run: boolean
}

/** Reads a file of rates; with `dry_run` it only says what would become of them. */
export const useImportRates = () =>
  useChange(({ file, ...query }: RateFile) => {
    const body = new FormData()
    body.set('file', file)
    return client.post<ImportReply>(`${RATES}import/`, { body, query })
  })
