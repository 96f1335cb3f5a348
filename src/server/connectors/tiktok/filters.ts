import { filterFields, type Filter } from '#shared/channels/catalogue.ts'
import { filterTest } from '#shared/filter.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { callApi } from './client.ts'
import { dimensionFields } from './fields.ts'
import type { Narrowing } from './query.ts'
import { Entities, type TikTokIo } from './schema.ts'

const MOST_IDS = 100
const MOST_PAGES = 20

/** Whether there is a filter that could be sent as ids. */
export const canNarrow = (filters: Filter[]) =>
  filters.some(({ field }) => kinds.some(kind => filterFields[field].of === kind))

/**
 * The filters on names as a list of ids, when it is short enough to be sent. Every name is read and judged
 * here by our own rule: TikTok's search by name is a fuzzy one.
 */
export async function narrowingOf(
  { account, filters }: { account: string; filters: Filter[] },
  io: TikTokIo,
): Promise<Narrowing | null> {
  for (const kind of kinds) {
    const own = filters.filter(({ field }) => filterFields[field].of === kind)
    if (own.length === 0) continue
    const ids = await idsOf({ kind, account, passes: testOf(own) }, io)
    if (ids && ids.length <= MOST_IDS)
      return { field: kind === 'campaign' ? 'campaign_ids' : 'adgroup_ids', ids }
  }
  return null
}

/** Ads have no filter by id of their own that would be shorter than their ad groups'. */
const kinds = ['campaign', 'ad_group'] as const

function testOf(filters: Filter[]): (name: string) => boolean {
  const tests = filters.map(filterTest)
  return name => tests.every(passes => passes(name))
}

/** null when there are so many entities that looking through them costs more than it spares. */
async function idsOf(
  {
    kind,
    account,
    passes,
  }: { kind: (typeof kinds)[number]; account: string; passes: (name: string) => boolean },
  io: TikTokIo,
): Promise<string[] | null> {
  const { level, id, name } = dimensionFields[kind]
  const ids: string[] = []
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const params = {
      advertiser_id: account,
      fields: [id, name],
      filtering: { primary_status: 'STATUS_ALL' },
      page,
      page_size: 1000,
    }
    const { data } = await callApi({ path: `${level}/get/`, params, account }, Entities, io)
    pages = data.page_info.total_page
    if (pages > MOST_PAGES) return null
    for (const entity of data.list) {
      const [own_id, own_name] = [entity[id], entity[name]]
      if (typeof own_id !== 'string' || typeof own_name !== 'string') throw unreadable(`${level}/get/`)
      if (passes(own_name)) ids.push(own_id)
    }
  }
  return [...new Set(ids)]
}
