import { describe, expect, it } from 'vitest'
import { reportListSearch } from '#web/pages/reports/search.ts'
import { filtersIn, isChanged, searchOf } from './view-filters.ts'

const list = (raw: object) => reportListSearch({ p: 0, search: '', page: 1, ...raw })

describe('a saved view', () => {
  it('keeps folder, search, filters and order, and neither the page nor an open execution', () => {
    const filters = { folder: 7, search: 'weekly', ordering: '-last_run_at', status: 1, favourite: true }
    const listed = list({ ...filters, p: 7, page: 3, execution: '01a215d9-112d-7bd7-9135-ba2b6e8a211d' })
    expect(filtersIn(listed)).toEqual(filters)
    expect(filtersIn(list({}))).toEqual({})
  })

  it('opens the list as it was saved, on its first page', () => {
    const saved = { id: 4, name: 'Weekly', filters: { search: 'weekly', gap: 'page_not_set' } } as const
    expect(searchOf(saved)).toEqual({ p: 0, search: 'weekly', page: 1, gap: 'page_not_set', view: 4 })
    expect(isChanged({ ...searchOf(saved), page: 2 }, saved)).toBe(false)
    expect(isChanged({ ...searchOf(saved), search: 'daily' }, saved)).toBe(true)
  })
})
