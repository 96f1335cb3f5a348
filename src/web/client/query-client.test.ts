import { QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { createQueryClient, forgetPerson, PUBLIC } from './query-client.ts'
import { showTray, tray } from './tray.ts'

it('drops what a person has loaded, but not what the next page is already requesting', async () => {
  const queries = createQueryClient()
  queries.setQueryData(['reports'], ['theirs'])
  const response = Promise.withResolvers<string>()
  const observer = new QueryObserver(queries, { queryKey: [PUBLIC, 'demo'], queryFn: () => response.promise })
  const leave = observer.subscribe(() => {})
  forgetPerson(queries)
  response.resolve('people')
  await expect.poll(() => observer.getCurrentResult().data).toBe('people')
  expect(queries.getQueryCache().getAll().length).toBe(1)
  leave()
})

it('stops what goes on for a person in the corner of their pages', () => {
  const forget = vi.fn<() => void>()
  showTray({ Content: () => null, forget })
  forgetPerson(createQueryClient())
  expect([forget.mock.calls.length, tray.get()]).toEqual([1, null])
})
