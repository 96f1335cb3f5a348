import { expect, it } from 'vitest'
import { publishersSearch } from './search.ts'

it('reads what the list is filtered by, and which publisher is open', () => {
  const search = { search: '', page: 1, ordering: '-name', type: 'news', channel: 'ln', publisher: 4 }
  expect(publishersSearch({ ...search })).toEqual(search)
})

it('leaves out what is none', () => {
  const raw = { ordering: 'website', type: 'radio', channel: 'x', publisher: 0 }
  expect(publishersSearch(raw)).toEqual({ search: '', page: 1 })
})
