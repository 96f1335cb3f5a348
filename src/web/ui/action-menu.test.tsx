// @vitest-environment happy-dom
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { ActionMenu } from './action-menu.tsx'

it('what a menu would focus again, late on a busy page, is where a key has moved the focus', async () => {
  draw(
    <ActionMenu
      label="Actions for Aurora"
      actions={[
        { key: 'edit', label: 'Edit', icon: IconPencil, onClick: vi.fn<() => void>() },
        { key: 'delete', label: 'Delete', icon: IconTrash, onClick: vi.fn<() => void>() },
      ]}
    />,
  )
  fireEvent.click(screen.getByRole('button', { name: 'Actions for Aurora' }))
  const entry = (name: string) => screen.getByRole('menuitem', { name, hidden: true })
  const focusedAgain = () => entry('Edit').parentElement?.querySelectorAll('[data-autofocus]')
  await waitFor(() => expect(document.activeElement).toBe(entry('Edit')))
  expect([...(focusedAgain() ?? [])]).toEqual([entry('Edit')])
  fireEvent.keyDown(entry('Edit'), { key: 'End' })
  expect(document.activeElement).toBe(entry('Delete'))
  expect([...(focusedAgain() ?? [])]).toEqual([entry('Delete')])
})
