// @vitest-environment happy-dom
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { createQueryClient } from './query-client.ts'
import { useReload } from './use-reload.ts'

it('reloads what is cached under the keys, however deep, and nothing else', async () => {
  const requested: string[] = []
  const Content = ({ name }: { name: string }) => {
    useQuery({ queryKey: name.split(' '), queryFn: () => requested.push(name) })
    return null
  }
  const Page = () => {
    const reload = useReload('folders', 'reports')
    return (
      <>
        {['folders', 'reports list', 'users'].map(name => (
          <Content key={name} name={name} />
        ))}
        <button onClick={() => void reload().then(() => requested.push('done'))}>Reload</button>
      </>
    )
  }
  draw(
    <QueryClientProvider client={createQueryClient()}>
      <Page />
    </QueryClientProvider>,
  )
  await expect.poll(() => requested).toEqual(['folders', 'reports list', 'users'])
  fireEvent.click(screen.getByRole('button', { name: 'Reload' }))
  await expect.poll(() => requested.slice(3)).toEqual(['folders', 'reports list', 'done'])
})
