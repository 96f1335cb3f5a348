import type { AccountRef, AnalyticsAudience } from '#server/connectors/connector.ts'
import { unreadable } from '#server/connectors/kit/failures.ts'
import { callApi, callReport } from './client.ts'
import { adminQuotaKey } from './quotas.ts'
import { AudiencePage, AudienceRows, type Ga4Io } from './schema.ts'

/** More than a property may have. */
const MOST_AUDIENCES = 1000
const MOST_PAGES = 10

/** The audiences of a property, with the people in each over the last 30 days. */
export async function listAudiences(account: AccountRef, io: Ga4Io): Promise<AnalyticsAudience[]> {
  const [audiences, users] = await Promise.all([
    Array.fromAsync(audiencesOf(account.external_id, io)),
    usersOf(account.external_id, io),
  ])
  return audiences.flat().map(({ name, displayName, membershipDurationDays: days }) => ({
    id: name,
    name: displayName,
    window_days: days,
    users: users.get(name) ?? 0,
  }))
}

async function* audiencesOf(property: string, io: Ga4Io): AsyncGenerator<AudiencePage['audiences']> {
  let token = ''
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const parameters = new URLSearchParams({ pageSize: '200', ...(token && { pageToken: token }) })
    const path = `v1alpha/properties/${encodeURIComponent(property)}/audiences?${parameters}`
    const page: AudiencePage = await callApi(
      { host: 'ga4_admin', path, quota: adminQuotaKey(io) },
      AudiencePage,
      io,
    )
    yield page.audiences
    token = page.nextPageToken ?? ''
    if (token === '') return
  }
  throw unreadable('audiences: pages without end')
}

/** By the audience's id. Audiences without people have no row. */
async function usersOf(property: string, io: Ga4Io): Promise<Map<string, number>> {
  const body = {
    dateRanges: [{ startDate: '29daysAgo', endDate: 'today' }],
    dimensions: [{ name: 'audienceId' }, { name: 'audienceName' }],
    metrics: [{ name: 'totalUsers' }],
    limit: String(MOST_AUDIENCES),
  }
  const { rows } = await callReport({ property, body }, io)
  return new Map(AudienceRows.parse(rows))
}
