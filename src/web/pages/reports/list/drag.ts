import { useState, type DragEvent } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { inform } from '#web/client/information.ts'
import { asProblem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useFolders, useMoveFolder } from './data.ts'
import { folderProblem } from './folder-problem.ts'
import { useBulkAction } from './use-bulk.ts'
import { useUndoToast } from './use-undo-toast.ts'
import type { Subject } from './undo-plan.ts'

const REPORTS = 'application/x-sheetcast-reports'
const FOLDER = 'application/x-sheetcast-folder'

/** Makes a folder draggable; the menus and keys are the way without a mouse. */
export const dragOfFolder = (id: number) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    event.dataTransfer.setData(FOLDER, String(id))
    event.dataTransfer.effectAllowed = 'move'
  },
})

/** Makes a report draggable, together with the others that are selected when it is one of them. */
export const dragOfReports = (report: Report, selected: ReadonlyMap<number, Report>) => ({
  draggable: true,
  onDragStart: (event: DragEvent) => {
    const all = selected.has(report.id) ? [...selected.values()] : [report]
    const subjects = all.map(({ id, name, folder }): Subject => ({ id, name, folder }))
    event.dataTransfer.setData(REPORTS, JSON.stringify(subjects))
    event.dataTransfer.effectAllowed = 'move'
  },
})

/** The lines of the tree as places to drop on: `over` is the one that is pointed at, 0 the root. */
export function useDrop() {
  const { t } = useTranslation('reports')
  const [over, setOver] = useState<number | null>(null)
  const failureText = useFailureText()
  const bulk = useBulkAction(problem =>
    inform({ severity: 'error', message: failureText(problem) ?? t('failed') }),
  )
  const moveFolder = useMoveFolder()
  const tellUndoable = useUndoToast()
  const folders = useFolders().data ?? []

  async function drop(event: DragEvent, target: number) {
    event.preventDefault()
    setOver(null)
    const folder = target === 0 ? null : target
    const text = event.dataTransfer.getData(REPORTS)
    // Only what a list of ours has put there; another page's text has another type.
    const reports: Subject[] = text === '' ? [] : JSON.parse(text)
    const there = reports.filter(report => report.folder !== folder)
    if (there.length > 0) {
      await bulk.act({ action: 'move', folder }, there, count => t('move.done', { count }))
      return
    }
    const moved = folders.find(({ id }) => id === Number(event.dataTransfer.getData(FOLDER)))
    if (!moved || moved.id === target || moved.parent === folder) return
    try {
      await moveFolder.mutateAsync({ id: moved.id, parent: folder })
      tellUndoable(t('folders.moved'), () => moveFolder.mutateAsync({ id: moved.id, parent: moved.parent }))
    } catch (error) {
      inform({ severity: 'error', message: failureText(error) ?? folderProblem(t, 'move', asProblem(error)) })
    }
  }

  const dropOn = (target: number) => ({
    'data-over': over === target || undefined,
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.some(type => type === REPORTS || type === FOLDER)) return
      event.preventDefault()
      setOver(target)
    },
    onDragLeave: () => setOver(current => (current === target ? null : current)),
    onDrop: (event: DragEvent) => void drop(event, target),
  })
  return dropOn
}
