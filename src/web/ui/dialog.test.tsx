// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Dialog } from './dialog.tsx'

describe('a dialog', () => {
  const dialog = (loading: boolean, onClose: () => void) => (
    <Dialog opened title="Share" loading={loading} onClose={onClose}>
      A text
    </Dialog>
  )
  const cross = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Close' })

  it('says by its cross that it stays until what was sent is done', () => {
    const onClose = vi.fn<() => void>()
    const { rerender } = draw(dialog(true, onClose))
    expect(cross().disabled).toBe(true)
    fireEvent.click(cross())
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(onClose).not.toHaveBeenCalled()
    rerender(dialog(false, onClose))
    fireEvent.click(cross())
    expect(onClose).toHaveBeenCalledOnce()
  })
})
