import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { expect } from 'vitest'
import { CloneOutcome, ExtendOutcome, ReplaceOutcome, UndoOutcome } from '#shared/api/bulk-operations.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import type { Provider } from '#shared/platforms.ts'
import type { ApiResponse, TestApi } from '#server/http/testing/api.ts'

export const BULK_OPERATIONS = '/api/gs-template-setting/care/'

const readAs =
  <Schema extends z.ZodType>(schema: Schema) =>
  (response: ApiResponse): z.output<Schema> => {
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    return schema.parse(response.body)
  }
export const replaceIn = readAs(ReplaceOutcome)
export const cloneIn = readAs(CloneOutcome)
export const extendIn = readAs(ExtendOutcome)
export const undoIn = readAs(UndoOutcome)

const providers: Partial<Record<Channel, Provider>> = {
  fb: 'meta',
  aw: 'google_ads',
  tt: 'tiktok',
  ln: 'line',
  ga4: 'ga4',
}

/** An account of any channel. */
export async function accountOf(
  api: TestApi,
  facts: { advertiser: number; channel?: Channel; name?: string; currency?: string; external_id?: string },
) {
  const { channel = 'fb', ...rest } = facts
  const id = await api.account({ external_id: randomUUID(), ...rest })
  await api.db
    .updateTable('ad_account')
    .set({ channel, provider: providers[channel] ?? 'meta' })
    .where('id', '=', id)
    .execute()
  return id
}

export const block = (accounts: number[], more: object = {}) => ({
  channel: 'fb',
  accounts,
  metrics: ['impressions', 'clicks', 'cost'],
  ...more,
})

/** What counts as a conversion for a client, by default in new channels; in Meta. */
export async function definitionOf(api: TestApi, advertiser: number) {
  const { id } = await api.db
    .insertInto('conversion_definition')
    .values({
      advertiser,
      name: 'Orders',
      name_zh: '訂單',
      is_default: true,
      entries: JSON.stringify([{ channel: 'fb', metric: 'purchases' }]),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
