import { expect, it } from 'vitest'
import { sitesSearch } from './search.ts'

it('reads what the list is filtered by, and which site is open', () => {
  const search = {
    search: 'shop',
    page: 2,
    ordering: '-url',
    advertiser: 1,
    platform: '91app',
    is_active: false,
    site: 3,
  }
  expect(sitesSearch({ ...search })).toEqual(search)
})

it('leaves out what is none', () => {
  const raw = { ordering: 'pixels', advertiser: -1, platform: 'geocities', is_active: 'no', site: 'x' }
  expect(sitesSearch(raw)).toEqual({ search: '', page: 1 })
})
