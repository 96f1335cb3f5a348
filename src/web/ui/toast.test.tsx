// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { Toast } from './toast.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const after = (ms: number) => act(() => vi.advanceTimersByTime(ms))
const toast = (duration: number, severity: 'success' | 'error' = 'success') => {
  const onClose = vi.fn<() => void>()
  draw(<Toast severity={severity} message="Saved." duration={duration} onClose={onClose} />)
  return { onClose, element: screen.getByRole(severity === 'error' ? 'alert' : 'status') }
}

describe('a toast', () => {
  it('closes when its time is over, and not before', () => {
    const { onClose } = toast(5000)
    after(4999)
    expect(onClose).not.toHaveBeenCalled()
    after(1)
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('stays open when its duration is 0', () => {
    const { onClose } = toast(0, 'error')
    after(3_600_000)
    expect(onClose).not.toHaveBeenCalled()
  })

  it('closes in time although the pointer rests on it', () => {
    const { onClose, element } = toast(5000)
    fireEvent.pointerEnter(element)
    fireEvent.mouseEnter(element)
    after(4999)
    expect(onClose).not.toHaveBeenCalled()
    after(1)
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('waits while one of its buttons has the focus of the keyboard', () => {
    const { onClose } = toast(5000)
    const button = screen.getByRole('button', { name: 'Close' })
    act(() => button.focus())
    after(60_000)
    expect(onClose).not.toHaveBeenCalled()
    act(() => button.blur())
    after(5000)
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('closes before its action runs', () => {
    const calls: string[] = []
    const action = { label: 'Undo', onClick: () => void calls.push('action') }
    draw(
      <Toast
        severity="success"
        message="Deleted."
        action={action}
        duration={5000}
        onClose={() => void calls.push('close')}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    expect(calls).toEqual(['close', 'action'])
  })
})
