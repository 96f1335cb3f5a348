// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import { useRef } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draw } from '#web/testing/render.tsx'
import { useRecheck } from './use-recheck.ts'

beforeEach(() => void vi.useFakeTimers({ now: 100_000 }))
afterEach(() => void vi.useRealTimers())

interface SectionProps {
  isFailed?: boolean
  isFetching?: boolean
  refetch: () => void
}

function Section({ isFailed = true, isFetching = false, refetch }: SectionProps) {
  const section = useRef<HTMLElement>(null)
  useRecheck(section, { isFailed, isFetching, checkedAt: 90_000, refetch })
  return <section ref={section} aria-label="Spreadsheet" />
}

/** A page has no layout here, so the section says where it is. */
function placed(props: Omit<SectionProps, 'refetch'>, top = 100) {
  const refetch = vi.fn<() => void>()
  draw(<Section {...props} refetch={refetch} />)
  const rect = { top, bottom: top + 400 } as DOMRect
  vi.spyOn(screen.getByRole('region'), 'getBoundingClientRect').mockReturnValue(rect)
  return refetch
}

const comeBack = () => act(() => void window.dispatchEvent(new Event('focus')))

describe('a failed check', () => {
  it('is repeated when the person comes back', () => {
    const refetch = placed({})
    comeBack()
    expect(refetch).toHaveBeenCalledOnce()
  })

  it('is repeated when its tab of the browser is shown again', () => {
    const refetch = placed({})
    act(() => void document.dispatchEvent(new Event('visibilitychange')))
    expect(refetch).toHaveBeenCalledOnce()
  })

  it.each([
    ['the last one was a moment ago', {}, 100, 93_000],
    ['one is under way', { isFetching: true }, 100, 100_000],
    ['nothing failed', { isFailed: false }, 100, 100_000],
    ['the section is above the screen', {}, -2000, 100_000],
    ['the section is below the screen', {}, 20_000, 100_000],
  ])('is not repeated while %s', (_why, props, top, now) => {
    const refetch = placed(props, top)
    vi.setSystemTime(now)
    comeBack()
    expect(refetch).not.toHaveBeenCalled()
  })

  it('is not repeated when the section is gone', () => {
    const refetch = vi.fn<() => void>()
    draw(<Section refetch={refetch} />).unmount()
    comeBack()
    expect(refetch).not.toHaveBeenCalled()
  })
})
