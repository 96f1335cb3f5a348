import { createHash } from 'node:crypto'
import { isoOf } from '#sandbox/dataset/calendar.ts'
import { GA4_ACCOUNTS, type Property } from '#sandbox/dataset/ga4.ts'
import { isPerson } from '#sandbox/dataset/persons.ts'
import { type Login, visibleTo } from './access.ts'
import { invalid } from './errors.ts'

const ORDINARY = 'PROPERTY_TYPE_ORDINARY'

/** GET /v1beta/accountSummaries */
export function accountSummaries(url: URL, login: Login): object {
  const visible = visibleTo(login)
  const listed = GA4_ACCOUNTS.filter(
    ({ id }) => !isPerson(login) || visible.some(({ account_id }) => account_id === id),
  )
  const summaries = listed.map(({ id, name }) => {
    const own = visible.filter(({ account_id }) => account_id === id)
    return {
      name: `accountSummaries/${id}`,
      account: `accounts/${id}`,
      displayName: name,
      ...(own.length > 0 && {
        propertySummaries: own.map(({ property_id, property_name }) => ({
          property: `properties/${property_id}`,
          displayName: property_name,
          propertyType: ORDINARY,
          parent: `accounts/${id}`,
        })),
      }),
    }
  })
  return pageOf('accountSummaries', summaries, url)
}

/** GET /v1beta/properties/{id} */
export const propertyNode = ({
  property_id,
  property_name,
  account_id,
  time_zone,
  currency,
  is_360,
  created,
}: Property) => ({
  name: `properties/${property_id}`,
  parent: `accounts/${account_id}`,
  createTime: `${isoOf(created)}T02:03:04Z`,
  updateTime: `${isoOf(created)}T02:03:04Z`,
  displayName: property_name,
  industryCategory: 'SHOPPING',
  timeZone: time_zone,
  currencyCode: currency,
  serviceLevel: is_360 ? 'GOOGLE_ANALYTICS_360' : 'GOOGLE_ANALYTICS_STANDARD',
  propertyType: ORDINARY,
  account: `accounts/${account_id}`,
})

/** GET /v1beta/properties/{id}/dataStreams */
export const dataStreams = ({ property_id, created }: Property, url: URL) =>
  pageOf(
    'dataStreams',
    [
      {
        name: `properties/${property_id}/dataStreams/3141590001`,
        type: 'WEB_DATA_STREAM',
        displayName: 'Web',
        createTime: `${isoOf(created)}T02:03:04Z`,
        webStreamData: {
          measurementId: `G-${createHash('sha256').update(property_id).digest('hex').slice(0, 10).toUpperCase()}`,
          defaultUri: 'https://shop.example',
        },
      },
    ],
    url,
  )

const MOST = 200

/** One page under pageSize (50 usually, 200 at most) and pageToken. */
export function pageOf(name: string, items: object[], url: URL): object {
  const size = Number(url.searchParams.get('pageSize') ?? 0)
  if (!Number.isInteger(size) || size < 0) throw invalid('The page size is invalid.')
  const position = positionIn(url.searchParams.get('pageToken'))
  const until = position + Math.min(size || 50, MOST)
  return {
    ...(items.length > position && { [name]: items.slice(position, until) }),
    ...(until < items.length && { nextPageToken: Buffer.from(`p:${until}`).toString('base64url') }),
  }
}

function positionIn(token: string | null): number {
  if (token === null || token === '') return 0
  const position = /^p:(\d+)$/.exec(Buffer.from(token, 'base64url').toString())?.[1]
  if (position === undefined) throw invalid('The page token is invalid.')
  return Number(position)
}
