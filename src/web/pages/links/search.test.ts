import { expect, it } from 'vitest'
import { linksSearch } from './search.ts'

it('reads what the address says of the list', () => {
  expect(
    linksSearch({
      search: 'autumn',
      page: 2,
      ordering: '-utm_campaign',
      advertiser: 1,
      platform: 'meta',
      ga4_channel: 'Paid Social',
      site: 30,
      publisher: 40,
      image: 50,
      file: 60,
      link: 8,
    }),
  ).toEqual({
    search: 'autumn',
    page: 2,
    ordering: '-utm_campaign',
    advertiser: 1,
    platform: 'meta',
    ga4_channel: 'Paid Social',
    site: 30,
    publisher: 40,
    image: 50,
    file: 60,
    link: 8,
  })
})

it('leaves out what is no such thing', () => {
  expect(
    linksSearch({ ordering: 'landing_url', advertiser: 'x', platform: {}, image: 'x', link: -1 }),
  ).toEqual({
    search: '',
    page: 1,
  })
})
