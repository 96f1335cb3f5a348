import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState, type FormEvent, type RefObject } from 'react'
import { notify } from '#web/client/notices.ts'
import { asProblem } from '#web/client/problem.ts'
import { useShareText } from '#web/client/share-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { DeedTitle } from './deed-popover.tsx'
import { folderProblem, type FolderDeedKind } from './folder-problem.ts'
import styles from './folders.module.css'
import { useUndoNotice } from './use-undo-notice.ts'

interface DeedFrameProps {
  kind: FolderDeedKind
  title: string
  confirm: string
  done: string
  /** Answers how to take it back, where that can be done. */
  act: () => Promise<void | (() => Promise<unknown>)>
  onBusy: (busy: boolean) => void
  onClose: () => void
  children: React.ReactNode
}

/** The fields of a deed with its buttons; what the server refuses is said here, in the product's own words. */
export function DeedFrame({ kind, title, confirm, done, act, onBusy, onClose, children }: DeedFrameProps) {
  const { t } = useTranslation('reports')
  const ui = useTranslation('ui')
  const shareText = useShareText()
  const [problem, setProblem] = useState<string | null>(null)
  const [loading, setLoading] = useState(false)
  const tellUndoable = useUndoNotice()
  const form = useRef<HTMLFormElement>(null)
  useFocusInside(form)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (loading) return
    setLoading(true)
    onBusy(true)
    setProblem(null)
    try {
      const undo = await act()
      if (undo) tellUndoable(done, undo)
      else notify({ severity: 'success', message: done })
      onClose()
    } catch (error) {
      setProblem(shareText(error) ?? folderProblem(t, kind, asProblem(error)))
      setLoading(false)
    } finally {
      onBusy(false)
    }
  }

  return (
    <form ref={form} className={styles.deed} onSubmit={event => void submit(event)}>
      <DeedTitle>{title}</DeedTitle>
      {children}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <Group justify="flex-end" gap="xs">
        <Button
          size="xs"
          variant="default"
          onClick={onClose}
          disabled={loading}
          // What destroys something is not what Enter does first.
          data-autofocus={kind === 'delete' || undefined}
        >
          {ui.t('cancel')}
        </Button>
        <Button size="xs" type="submit" loading={loading} {...(kind === 'delete' && { color: 'red' })}>
          {confirm}
        </Button>
      </Group>
    </form>
  )
}

/**
 * Takes the focus in as soon as it can be taken: while the popover is being placed it is hidden, and what is hidden has no focus. Whatever
 * still gives the focus to a line of the tree afterwards (a form that closed just before, a list that is drawn anew) does not keep it: Tab stays
 * inside by itself, and a click beside the form closes it.
 */
function useFocusInside(form: RefObject<HTMLFormElement | null>) {
  useEffect(() => {
    let frame = 0
    const look = () => {
      if (form.current?.contains(document.activeElement)) return
      form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus({ preventScroll: true })
      frame = requestAnimationFrame(look)
    }
    const begin = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(look)
    }
    begin()
    document.addEventListener('focusin', begin)
    return () => {
      document.removeEventListener('focusin', begin)
      cancelAnimationFrame(frame)
    }
  }, [form])
}
