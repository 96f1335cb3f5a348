import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { filesOf } from './dropped-files.ts'

type Take = (files: readonly File[]) => void

/** Files that are dropped anywhere on the page; returned is whether some are dragged over it. */
export function useDroppedFiles(take: Take): boolean {
  const [isOver, setIsOver] = useState(false)
  const onDrop = useEffectEvent((event: DragEvent) => {
    setIsOver(false)
    const { dataTransfer } = event
    if (!dataTransfer || !hasFiles(event)) return
    event.preventDefault()
    void filesOf(dataTransfer).then(files => files.length > 0 && take(files))
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Without this the browser would open the file instead of the page.
      event.preventDefault()
      setIsOver(true)
    }
    // Nothing is entered instead where the pointer leaves the window.
    const leave = (event: DragEvent) => !event.relatedTarget && setIsOver(false)
    const drop = (event: DragEvent) => onDrop(event)
    addEventListener('dragover', over)
    addEventListener('dragleave', leave)
    addEventListener('drop', drop)
    return () => {
      removeEventListener('dragover', over)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', drop)
    }
  }, [])
  return isOver
}

/** A dragged link or text is no upload. */
const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true

/** Files on the clipboard, such as a picture of the screen, wherever on the page they are pasted. */
export function usePastedFiles(take: Take) {
  const { t } = useTranslation('materials')
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])]
    if (files.length === 0 || isText(event)) return
    event.preventDefault()
    take(files.map(file => named(file, time => t('upload.pasted_name', { time }))))
  })
  useEffect(() => {
    const paste = (event: ClipboardEvent) => onPaste(event)
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])
}

/** Spreadsheets and word processors bring a picture of what is copied along: in a field its text is meant. */
const isText = ({ target, clipboardData }: ClipboardEvent) =>
  target instanceof Element &&
  target.closest('input, textarea') !== null &&
  clipboardData?.types.includes('text/plain') === true

/** Browsers call every picture on the clipboard the same. */
function named(file: File, nameAt: (time: string) => string): File {
  if (file.name !== 'image.png') return file
  const now = Temporal.Now.plainDateTimeISO().round('second')
  const time = `${now.toPlainDate()} ${now.toPlainTime()}`.replaceAll(':', '.')
  return new File([file], `${nameAt(time)}.png`, { type: file.type })
}
