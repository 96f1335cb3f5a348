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

function drawn(identity: IdentityName, advertisers: unknown = listOf([{ id: 1, name: 'Aurora' }])) {
  const calls = serve({
    'GET /api/gs-template-setting/': listOf([{ id: 3, name: 'Aurora daily', shared_by: null }]),
    'GET /api/gs-template-folder/': [],
    'GET /api/advertiser/': advertisers,
  })
  const went = drawAt(<Names />, { path: '/' }, { identity })
  return { went, calls }
}

it('finds advertisers by name and opens them', async () => {
  const { went, calls } = drawn('staff')
  const found = await screen.findByRole('button', { name: 'advertisers Aurora' })
  found.click()
  expect(went).toMatchObject([{ to: '/customer/advertiser/$id', params: { id: '1' } }])
  const request = calls.find(({ path }) => path === '/api/advertiser/')
  expect(request?.query).toEqual({ search: 'auro', limit: 5 })
})

it('asks for no advertisers of a client', async () => {
  const { calls } = drawn('external_user')
  await screen.findByRole('button', { name: 'reports Aurora daily' })
  expect(calls.map(({ path }) => path)).not.toContain('/api/advertiser/')
})

it('goes on searching until the advertisers are there too', async () => {
  const answer = Promise.withResolvers<unknown>()
  drawn('staff', () => answer.promise)
  await screen.findByRole('button', { name: 'reports Aurora daily' })
  expect(screen.getByRole('status').textContent).toBe('searching')
  answer.resolve(listOf([]))
  await expect.poll(() => screen.getByRole('status').textContent).toBe('done')
})

it('says that advertisers could not be searched', async () => {
  drawn('staff', new Problem({ code: 'forbidden', status: 403 }))
  await expect.poll(() => screen.queryByRole('status')?.textContent).toBe('failed')
})
