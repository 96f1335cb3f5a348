import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { hasUploads, uploadsDeparture } from '#web/client/unsaved-changes.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { isUnderWay, type Upload } from './upload-queue.ts'
import { mayPassLater, UploadLine } from './upload-line.tsx'
import styles from './uploads.module.css'
import { queue } from './uploads.ts'

/** The uploads of this tab, in the corner of every page until they are closed. */
export function UploadTray() {
  const { t } = useTranslation('materials')
  const { user_id } = useMe()
  const id = useId()
  const uploads = useStore(queue.uploads).filter(({ user }) => user === user_id)
  const [isFolded, setIsFolded] = useState(false)
  const [isAsking, setIsAsking] = useState(false)
  const summary = useSummary(uploads)
  if (uploads.length === 0) return null
  const ids = uploads.map(upload => upload.id)
  const isBusy = uploads.some(isUnderWay)
  const failed = uploads.filter(mayPassLater)
  return (
    <section ref={noteHeight} className={styles.tray} aria-label={t('tray.label')}>
      <header className={styles.trayHead}>
        <h2>{summary}</h2>
        <VisuallyHidden role="status">{summary}</VisuallyHidden>
        <ActionIcon
          aria-label={t(isFolded ? 'tray.unfold' : 'tray.fold')}
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => setIsFolded(!isFolded)}
        >
          {isFolded ? <IconChevronUp size={18} stroke={1.7} /> : <IconChevronDown size={18} stroke={1.7} />}
        </ActionIcon>
        <ActionIcon
          aria-label={t('tray.close')}
          onClick={() => (isBusy ? setIsAsking(true) : queue.remove(...ids))}
        >
          <IconX size={18} stroke={1.7} />
        </ActionIcon>
      </header>
      {isBusy && (
        <progress className={styles.whole} max={1} value={shareOf(uploads)} aria-label={t('tray.whole')} />
      )}
      <div id={id} hidden={isFolded}>
        <ul className={styles.lines}>
          {uploads.map(upload => (
            <UploadLine key={upload.id} upload={upload} />
          ))}
        </ul>
        {failed.length > 1 && (
          <div className={styles.trayFoot}>
            <Button size="xs" variant="default" onClick={() => queue.retry(...failed.map(each => each.id))}>
              {t('tray.retry_all', { count: failed.length })}
            </Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        opened={isAsking}
        title={t('tray.stop.title')}
        detail={t('tray.stop.detail')}
        confirm={t('tray.stop.confirm')}
        cancel={t('tray.stop.cancel')}
        tone="danger"
        onConfirm={() => {
          setIsAsking(false)
          queue.remove(...ids)
        }}
        onClose={() => setIsAsking(false)}
      />
      <SignOutConfirmation isBusy={isBusy} />
    </section>
  )
}

/** Signing out ends them. */
function SignOutConfirmation({ isBusy }: { isBusy: boolean }) {
  const { t } = useTranslation('materials')
  const departing = useStore(uploadsDeparture)
  useEffect(() => {
    hasUploads.set(isBusy)
    return () => hasUploads.set(false)
  }, [isBusy])
  useEffect(() => () => uploadsDeparture.set(null), [])
  return (
    <ConfirmDialog
      opened={departing !== null}
      title={t('tray.sign_out.title')}
      detail={t('tray.stop.detail')}
      confirm={t('tray.sign_out.confirm')}
      cancel={t('tray.stop.cancel')}
      tone="danger"
      onConfirm={() => {
        uploadsDeparture.set(null)
        departing?.proceed()
      }}
      onClose={() => uploadsDeparture.set(null)}
    />
  )
}

/** What is going on, or what has come of it; it changes with each file, and not with each per cent. */
function useSummary(uploads: readonly Upload[]): string {
  const { t } = useTranslation('materials')
  const over = uploads.filter(upload => !isUnderWay(upload))
  if (over.length < uploads.length) return t('tray.uploading', { done: over.length, count: uploads.length })
  const failed = uploads.filter(({ state }) => state.status === 'failed').length
  const here = uploads.filter(({ state }) => state.status === 'done' && state.row.duplicate).length
  const counts = [
    ['tray.uploaded', uploads.length - failed - here],
    ['tray.duplicates', here],
    ['tray.refused', failed],
  ] as const
  const parts = counts.flatMap(([key, count]) => (count > 0 ? [t(key, { count })] : []))
  return parts.join(t('joint'))
}

/** Of all bytes; a file that is being sent counts by its share. */
function shareOf(uploads: readonly Upload[]): number {
  const total = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const sent = uploads.reduce((sum, upload) => {
    if (!isUnderWay(upload)) return sum + upload.file.size
    return sum + (upload.state.status === 'sending' ? upload.state.share * upload.file.size : 0)
  }, 0)
  return total === 0 ? 0 : sent / total
}

/** The page ends below it, so that nothing stays under it. */
function noteHeight(element: HTMLElement | null) {
  if (!element) return undefined
  const { style } = document.documentElement
  const observer = new ResizeObserver(() => style.setProperty('--tray', `${element.offsetHeight}px`))
  observer.observe(element)
  return () => {
    observer.disconnect()
    style.removeProperty('--tray')
  }
}
