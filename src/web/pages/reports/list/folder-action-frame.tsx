import { useState, type ReactNode } from 'react'
import { useFailureText } from '#web/client/failure-text.ts'
import { inform } from '#web/client/information.ts'
import { showToast } from '#web/client/toasts.ts'
import { asProblem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { PopoverForm } from '#web/ui/form-popover.tsx'
import { folderProblem, type FolderActionKind } from './folder-problem.ts'
import { useUndoToast } from './use-undo-toast.ts'

interface ActionFrameProps {
  kind: FolderActionKind
  title: string
  confirm: string
  done: string
  /** Returns how to undo it, where that is possible. */
  act: () => Promise<void | (() => Promise<unknown>)>
  onClose: () => void
  children: ReactNode
}

/**
 * The fields of an action with its buttons. An error opens the dialog that says it, in the product's own
 * words; what was entered is still here once that is closed.
 */
export function ActionFrame({ kind, title, confirm, done, act, onClose, children }: ActionFrameProps) {
  const { t } = useTranslation('reports')
  const failureText = useFailureText()
  const [loading, setLoading] = useState(false)
  const tellUndoable = useUndoToast()

  async function submit() {
    setLoading(true)
    try {
      const undo = await act()
      if (undo) tellUndoable(done, undo)
      else showToast({ severity: 'success', message: done })
      onClose()
    } catch (error) {
      inform({ severity: 'error', message: failureText(error) ?? folderProblem(t, kind, asProblem(error)) })
      setLoading(false)
    }
  }

  return (
    <PopoverForm
      title={title}
      submit={confirm}
      tone={kind === 'delete' ? 'danger' : 'normal'}
      loading={loading}
      onSubmit={() => void submit()}
    >
      {children}
    </PopoverForm>
  )
}
