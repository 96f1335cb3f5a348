import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { notify } from '#web/app/notices.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useStart } from '../runs/data.ts'
import { reportEditorSearch } from '../search.ts'
import type { Editor } from './use-editor.ts'

/** Saving and running, by the buttons and by Ctrl or ⌘ S. */
export function useDeeds(editor: Editor) {
  const { t } = useTranslation('editor')
  const search = useSearch({ from: '/shell/gs-template/template' })
  const navigate = useNavigate({ from: '/gs-template/template' })
  const start = useStart()
  const [running, setRunning] = useState(false)

  const show = (id: number, execution?: string) =>
    navigate({
      search: { id, ...(execution !== undefined && { execution }) },
      replace: true,
      resetScroll: false,
      // What is shown then has just been saved.
      ignoreBlocker: true,
    })

  async function save() {
    const saved = await editor.save()
    if (saved === null) return toFirstError()
    notify({ severity: 'success', message: t('saved') })
    await show(saved.id, search.execution)
  }

  async function run() {
    setRunning(true)
    try {
      const needs_saving = (editor.base === null || editor.is_dirty) && editor.may_change
      const report = needs_saving ? await editor.save() : editor.current
      if (report === null) return toFirstError()
      if (report.gaps.length > 0) {
        notify({
          severity: 'warning',
          message: needs_saving ? `${t('saved')} ${t('gaps_left')}` : t('gaps_left'),
        })
        return await show(report.id)
      }
      const execution = await start.mutateAsync({ reports: [report.id] })
      await show(report.id, execution.id)
    } catch {
      notify({ severity: 'error', message: t('failed') })
    } finally {
      setRunning(false)
    }
  }

  useSaveKey(() => {
    if (editor.may_change && (editor.base === null || editor.is_dirty)) void save()
  })
  return {
    execution: search.execution,
    running,
    save: () => void save(),
    run: () => void run(),
    closeExecution: () =>
      void navigate({
        search: current => reportEditorSearch({ ...current, execution: undefined }),
        resetScroll: false,
      }),
  }
}

function useSaveKey(save: () => void) {
  const onSave = useEffectEvent(save)
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
      event.preventDefault()
      onSave()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

/** Brings what is wrong into view, once it is drawn. */
const toFirstError = () =>
  requestAnimationFrame(() =>
    document
      .querySelector('#content [aria-invalid="true"], #content [data-error], #content [role="alert"]')
      ?.scrollIntoView({ block: 'center', behavior: 'smooth' }),
  )
