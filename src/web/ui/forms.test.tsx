// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { FormDialog } from './form-dialog.tsx'
import { FormPopover, PopoverForm } from './form-popover.tsx'
import { TextField } from './text-field.tsx'

interface Drawn {
  loading?: boolean
  onSubmit: () => void
  onClose: () => void
}

const field = <TextField label="Name" value="Spring" onChange={() => {}} />
const kinds: [string, (props: Drawn) => ReactNode][] = [
  [
    'a form in a dialog',
    ({ loading = false, ...props }) => (
      <FormDialog opened title="Rename" submit="Rename it" loading={loading} {...props}>
        {field}
      </FormDialog>
    ),
  ],
  [
    'a form in a popover',
    ({ loading = false, onSubmit, onClose }) => (
      <FormPopover<HTMLButtonElement>
        form={
          <PopoverForm title="Rename" submit="Rename it" loading={loading} onSubmit={onSubmit}>
            {field}
          </PopoverForm>
        }
        onClose={onClose}
      >
        {anchor => <button ref={anchor}>Spring</button>}
      </FormPopover>
    ),
  ],
]

describe.each(kinds)('%s', (_, form) => {
  async function opened(props: { loading?: boolean } = {}) {
    const calls = { onSubmit: vi.fn<() => void>(), onClose: vi.fn<() => void>(), outer: vi.fn<() => void>() }
    draw(<div onSubmit={calls.outer}>{form({ ...props, ...calls })}</div>)
    await screen.findByRole('dialog', { name: 'Rename' })
    return calls
  }

  it('sends nothing when it is closed, by whichever way', async () => {
    const { onSubmit, onClose } = await opened()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledTimes(1)
    await userEvent.click(screen.getByLabelText('Name'))
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledTimes(2)
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('is sent once with Enter, and sends no form around it', async () => {
    const { onSubmit, outer } = await opened()
    await userEvent.type(screen.getByLabelText('Name'), '{Enter}')
    expect(onSubmit).toHaveBeenCalledOnce()
    expect(outer).not.toHaveBeenCalled()
  })

  it('stays open while the request is under way, and cannot be sent twice', async () => {
    const { onSubmit, onClose } = await opened({ loading: true })
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Cancel' }).disabled).toBe(true)
    await userEvent.type(screen.getByLabelText('Name'), '{Enter}{Escape}')
    const [form_element] = screen.getByRole('dialog').getElementsByTagName('form')
    if (form_element) fireEvent.submit(form_element)
    expect(onSubmit).not.toHaveBeenCalled()
    expect(onClose).not.toHaveBeenCalled()
  })
})

describe('a dialog with tags, choices or files that are not saved', () => {
  it('asks before Escape loses them', async () => {
    const onClose = vi.fn<() => void>()
    draw(
      <FormDialog
        opened
        title="Tags"
        submit="Save"
        loading={false}
        isChanged
        onSubmit={() => {}}
        onClose={onClose}
      >
        {field}
      </FormDialog>,
    )
    await userEvent.keyboard('{Escape}')
    expect(onClose).not.toHaveBeenCalled()
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }))
    expect(onClose).toHaveBeenCalledOnce()
  })
})

describe('a popover whose form destroys something', () => {
  it('focuses its cancel button first', async () => {
    draw(
      <FormPopover<HTMLButtonElement>
        form={
          <PopoverForm title="Delete" submit="Delete it" tone="danger" loading={false} onSubmit={() => {}}>
            {field}
          </PopoverForm>
        }
        onClose={() => {}}
      >
        {anchor => <button ref={anchor}>Spring</button>}
      </FormPopover>,
    )
    const cancel = await screen.findByRole('button', { name: 'Cancel' })
    await expect.poll(() => document.activeElement === cancel).toBe(true)
  })
})

describe('a confirmation', () => {
  it('is confirmed by its button alone, and cannot be closed while the request is under way', async () => {
    const [onConfirm, onClose] = [vi.fn<() => void>(), vi.fn<() => void>()]
    const confirmation = (loading: boolean) => (
      <ConfirmDialog
        opened
        title="Delete this report?"
        confirm="Delete"
        loading={loading}
        onConfirm={onConfirm}
        onClose={onClose}
      />
    )
    const { rerender } = draw(confirmation(false))
    await userEvent.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalledOnce()
    expect(onConfirm).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    expect(onConfirm).toHaveBeenCalledOnce()
    rerender(confirmation(true))
    await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
    await userEvent.keyboard('{Escape}')
    expect(onConfirm).toHaveBeenCalledOnce()
    expect(onClose).toHaveBeenCalledOnce()
  })
})
