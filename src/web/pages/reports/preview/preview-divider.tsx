import { useLayoutEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './preview.module.css'

/** Percent of the width of settings and preview together. */
const NARROWEST = 25
const WIDEST = 75
const STEP = 5

/** How much of the width the preview has, stored in this browser for each user; null: the usual share. */
function usePreviewShare() {
  const { user_id } = useMe()
  const key = `sheetcast.preview_share.${user_id}`
  const [share, setShare] = useState(() => {
    const stored = Number(localStorage.getItem(key) ?? Number.NaN)
    return stored >= NARROWEST && stored <= WIDEST ? stored : null
  })
  const change = (next: number | null) => {
    setShare(next)
    if (next === null) localStorage.removeItem(key)
    else localStorage.setItem(key, String(next))
  }
  return { share, change }
}

/**
 * Between settings and preview: dragged, or moved by the arrow keys; a double click brings the usual width
 * back. The grid that has it reads its share.
 */
export function PreviewDivider() {
  const { t } = useTranslation('preview')
  const { share, change } = usePreviewShare()
  const divider = useRef<HTMLDivElement>(null)
  const [isDragged, setDragged] = useState(false)
  const [usual, setUsual] = useState(50)
  useLayoutEffect(() => {
    const columns = divider.current?.parentElement
    columns?.toggleAttribute('data-divided', share !== null)
    columns?.style.setProperty('--preview-share', `${share ?? 50}%`)
    if (share !== null || !columns) return undefined
    // The usual share depends on the window and on the menu beside it.
    const measure = () => setUsual(Math.round(currentShare(divider.current)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(columns)
    return () => observer.disconnect()
  }, [share])
  const move = (percent: number) => change(Math.min(WIDEST, Math.max(NARROWEST, Math.round(percent))))

  function drag({ clientX }: PointerEvent) {
    const columns = divider.current?.parentElement?.getBoundingClientRect()
    if (isDragged && columns) move(((columns.right - clientX) / columns.width) * 100)
  }

  function press(event: KeyboardEvent) {
    const steps: Record<string, number> = { ArrowLeft: STEP, ArrowRight: -STEP }
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Home' && event.key !== 'End') return
    event.preventDefault()
    move(
      step === undefined
        ? event.key === 'Home'
          ? WIDEST
          : NARROWEST
        : (share ?? currentShare(divider.current)) + step,
    )
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- it can be moved
    <div
      ref={divider}
      className={styles.divider}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('divider')}
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={share ?? usual}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is moved by keys, too
      tabIndex={0}
      data-dragged={isDragged || undefined}
      onPointerDown={event => {
        event.currentTarget.setPointerCapture(event.pointerId)
        setDragged(true)
      }}
      onPointerMove={drag}
      onPointerUp={() => setDragged(false)}
      onPointerCancel={() => setDragged(false)}
      onDoubleClick={() => change(null)}
      onKeyDown={press}
    />
  )
}

/** As the usual share of this window is, so that the first key goes on from there. */
function currentShare(divider: HTMLElement | null): number {
  const columns = divider?.parentElement?.getBoundingClientRect()
  const own = divider?.getBoundingClientRect()
  return columns && own ? ((columns.right - own.left) / columns.width) * 100 : 50
}
