// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { IdentityName } from '#shared/access.ts'
import { Problem } from '#web/client/problem.ts'
import { drawAt } from '#web/testing/draw-for.tsx'
import { listOf, serve } from '#web/testing/fake-server.ts'
import { useEntries } from './use-entries.ts'

function Names() {
  const { groups, is_searching, has_failed } = useEntries('auro', 'auro')
  const names = groups.flatMap(({ kind, entries }) =>
    entries.map(({ key, name, open }) => (
      <button key={key} onClick={open}>
        {kind} {name}
      </button>
    )),
  )
  return (
    <>
      {names}
      <output>{has_failed ? 'failed' : is_searching ? 'searching' : 'done'}</output>
    </>
  )
}

const named = [
  { kind: 'advertisers', id: 1, name: 'Aurora', advertiser_name: null },
  { kind: 'sites', id: 3, name: 'Aurora shop', advertiser_name: 'Aurora' },
]

function drawn(identity: IdentityName, answer: unknown = { results: named }) {
  const calls = serve({
    'GET /api/gs-template-setting/': listOf([{ id: 3, name: 'Aurora daily', shared_by: null }]),
    'GET /api/gs-template-folder/': [],
    'GET /api/search/': answer,
  })
  const went = drawAt(<Names />, { path: '/' }, { identity })
  return { went, calls }
}

it('finds by name what the agency has, all of it in one request, and opens it', async () => {
  const { went, calls } = drawn('staff')
  const found = await screen.findByRole('button', { name: 'advertisers Aurora' })
  found.click()
  screen.getByRole('button', { name: 'sites Aurora shop' }).click()
  expect(went).toMatchObject([
    { to: '/customer/advertiser/$id', params: { id: '1' } },
    { to: '/material/site', search: { site: 3 } },
  ])
  const requests = calls.filter(({ query }) => query && 'search' in query)
  expect(requests.map(({ path }) => path).toSorted()).toEqual(['/api/gs-template-setting/', '/api/search/'])
  expect(requests.find(({ path }) => path === '/api/search/')?.query).toEqual({ search: 'auro' })
})

it('asks for nothing of the agency for a client', async () => {
  const { calls } = drawn('external_user')
  await screen.findByRole('button', { name: 'reports Aurora daily' })
  expect(calls.map(({ path }) => path)).not.toContain('/api/search/')
})

it('goes on searching until all of it is there', async () => {
  const answer = Promise.withResolvers<unknown>()
  drawn('staff', () => answer.promise)
  await screen.findByRole('button', { name: 'reports Aurora daily' })
  expect(screen.getByRole('status').textContent).toBe('searching')
  answer.resolve({ results: [] })
  await expect.poll(() => screen.getByRole('status').textContent).toBe('done')
})

it('says that not everything could be searched', async () => {
  drawn('staff', new Problem({ code: 'forbidden', status: 403 }))
  await expect.poll(() => screen.queryByRole('status')?.textContent).toBe('failed')
})
