import { useState, type DragEvent } from 'react'
import { notify } from '#web/app/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useBulk, useMoveFolder } from './data.ts'
import { folderProblem } from './folder-problem.ts'

const REPORT = 'application/x-sheetcast-report'
const FOLDER = 'application/x-sheetcast-folder'

/** Makes a link draggable as a report or a folder; the menus are the way for the keyboard. */
export const dragOf = (kind: 'report' | 'folder', id: number) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(kind === 'report' ? REPORT : FOLDER, String(id))
    event.dataTransfer.effectAllowed = 'move'
  },
})

/** A folder (null: the top level) on which reports and folders may be dropped. */
export function useDrop(folder: number | null) {
  const { t } = useTranslation('reports')
  const [over, setOver] = useState(false)
  const moveReports = useBulk()
  const moveFolder = useMoveFolder()
  const leave = () => setOver(false)

  function drop(event: DragEvent) {
    event.preventDefault()
    leave()
    const report = Number(event.dataTransfer.getData(REPORT))
    const moved = Number(event.dataTransfer.getData(FOLDER))
    if (report > 0)
      moveReports.mutate(
        { action: 'move', ids: [report], folder },
        {
          onSuccess: ({ results }) =>
            results.every(result => result.status === 'ok')
              ? notify({ severity: 'success', message: t('move.done', { count: 1 }) })
              : notify({ severity: 'warning', message: t('some_refused', { count: 1 }) }),
          onError: () => notify({ severity: 'error', message: t('failed') }),
        },
      )
    else if (moved > 0 && moved !== folder)
      moveFolder.mutate(
        { id: moved, parent: folder },
        {
          onSuccess: () => notify({ severity: 'success', message: t('folders.moved') }),
          onError: problem => notify({ severity: 'error', message: folderProblem(t, 'move', problem) }),
        },
      )
  }

  return {
    'data-over': over || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.some(type => type === REPORT || type === FOLDER)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: leave,
    onDrop: drop,
  }
}
