// @vitest-environment happy-dom
import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createQueryClient } from '#web/client/query-client.ts'
import { draw } from '#web/testing/render.tsx'
import { useReloadMaterials } from './data.ts'

function Change() {
  const reload = useReloadMaterials('image')
  return <button onClick={() => void reload()}>Change</button>
}

it('reads again what has the name of a material, also what the search palette found', async () => {
  const queries = createQueryClient()
  const keys = [['images', 'list'], ['storage', 1], ['palette', 'named', 'a'], ['links']]
  for (const key of keys) queries.setQueryData(key, [])
  draw(
    <QueryClientProvider client={queries}>
      <Change />
    </QueryClientProvider>,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Change' }))
  const states = keys.map(key => queries.getQueryState(key)?.isInvalidated)
  expect(states).toEqual([true, true, true, false])
})
