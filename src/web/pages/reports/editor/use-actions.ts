import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { listText } from '#shared/language.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useStart } from '#web/pages/reports/runs/data.ts'
import { reportEditorSearch } from '#web/pages/reports/search.ts'
import type { Draft } from './draft.ts'
import { sectionNames, type SetupLine } from './setup.ts'
import type { Editor } from './use-editor.ts'
import { sectionOf } from './use-field-errors.ts'
import type { EditorView } from './view-tabs.tsx'
import { useKeys } from './use-keys.ts'

export type Actions = ReturnType<typeof useActions>

interface Around {
  setup: readonly SetupLine[]
  /** Brings one of the two views of a narrow page to the front. */
  onView: (view: EditorView) => void
}

/** Saving, running, undoing and redoing, by buttons and by keys. */
export function useActions(editor: Editor, { setup, onView }: Around) {
  const overlaps = setup.some(({ name }) => name === 'overlaps')
  const { t, language } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const search = useSearch({ from: '/shell/gs-template/template' })
  const navigate = useNavigate({ from: '/gs-template/template' })
  const failureText = useFailureText()
  const start = useStart()
  const [running, setRunning] = useState(false)
  const [said, setSaid] = useState('')
  const jump = useJumpToError(editor)
  function toFirstError() {
    onView('settings')
    jump()
  }

  const show = (id: number, execution?: string) =>
    navigate({
      search: { id, ...(execution !== undefined && { execution }) },
      replace: true,
      resetScroll: false,
      // What is shown at this point has just been saved.
      ignoreBlocker: true,
    })

  async function save() {
    const saved = await editor.save()
    if (saved === null) return toFirstError()
    showToast(
      overlaps
        ? { severity: 'warning', message: `${t('saved')} ${t('overlaps')}` }
        : { severity: 'success', message: t('saved') },
    )
    await show(saved.id, search.execution)
  }

  async function run() {
    setRunning(true)
    try {
      const needsSaving = editor.base === null || editor.is_dirty
      const report = needsSaving ? await editor.save() : editor.current
      if (report === null) return toFirstError()
      if (report.gaps.length > 0) {
        showToast({
          severity: 'warning',
          message: needsSaving ? `${t('saved')} ${t('gaps_left')}` : t('gaps_left'),
        })
        return await show(report.id)
      }
      const execution = await start.mutateAsync({ reports: [report.id] })
      onView('preview')
      await show(report.id, execution.id)
    } catch (error) {
      showToast({ severity: 'error', message: failureText(error) ?? t('failed') })
    } finally {
      setRunning(false)
    }
  }

  async function keep(chosen: Draft) {
    const saved = await editor.conflict.keep(chosen)
    if (saved !== null) showToast({ severity: 'success', message: t('saved') })
  }

  function back(action: 'undo' | 'redo') {
    if (!editor.steps[`can_${action}`]) return
    const fields = editor.steps[action]()
    const names = [...new Set(fields.map(field => sectionOf[field]))].filter(name => name !== undefined)
    setSaid(
      tEditing(`steps.${action}_done`, {
        what: listText(
          names.map(name => t(`section.${name}`)),
          language,
        ),
      }),
    )
    const [first] = names
    if (first) document.getElementById(first)?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }
  const undo = () => back('undo')
  const redo = () => back('redo')

  useKeys({
    undo,
    redo,
    save() {
      if (editor.base === null || editor.is_dirty) void save()
    },
  })
  return {
    execution: search.execution,
    running,
    /** What undo or redo has just done, for those who do not see it. */
    said,
    undo,
    redo,
    toFirstError,
    keep: (chosen: Draft) => void keep(chosen),
    save: () => void save(),
    run: () => void run(),
    closeExecution: () =>
      void navigate({
        search: current => reportEditorSearch({ ...current, execution: undefined }),
        resetScroll: false,
      }),
  }
}

/**
 * Scrolls to the first error and focuses it, once all errors are drawn: fields are validated a moment after
 * they change.
 */
function useJumpToError({ is_judged }: Editor) {
  const [jumps, setJumps] = useState(0)
  const jumped = useRef(0)
  useEffect(() => {
    if (jumps === jumped.current || !is_judged) return
    jumped.current = jumps
    focusFirstError()
  }, [jumps, is_judged])
  return () => setJumps(count => count + 1)
}

function focusFirstError() {
  const [wrong] = document.querySelectorAll<HTMLElement>(WRONG)
  if (!wrong) return
  const field = wrong.matches('input, textarea, button')
    ? wrong
    : wrong.querySelector<HTMLElement>('input, button')
  field?.focus({ preventScroll: true })
  wrong.scrollIntoView({ block: 'center', behavior: 'smooth' })
}

const WRONG = ['[aria-invalid="true"]', '[data-error]', '[role="alert"]']
  .flatMap(mark => sectionNames.map(name => `#${name} ${mark}`))
  .join(', ')
