import { ActionIcon, Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowForwardUp,
  IconCheck,
  IconCircleDot,
  IconDeviceFloppy,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { watchBottomBar } from '#web/client/bottom-bar.ts'
import { flushSync } from 'react-dom'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import { toneOf, type SetupLine } from './setup.ts'
import type { EditorView } from './view-tabs.tsx'
import type { Actions } from './use-actions.ts'
import type { Editor } from './use-editor.ts'

interface SaveBarProps {
  editor: Editor
  actions: Actions
  setup: readonly SetupLine[]
  onView: (view: EditorView) => void
}

/** Always in reach: the state of saving, undo and redo, save, and save and run. */
export function SaveBar({ editor, actions, setup, onView }: SaveBarProps) {
  const { t } = useTranslation('editor')
  const { base, current, is_dirty, is_saving } = editor
  const { running, save, run } = actions
  const needsSaving = base === null || is_dirty
  return (
    <div ref={watchBottomBar} className={styles.bar} data-save-bar>
      <SavingState editor={editor} setup={setup} onView={onView} onJump={actions.toFirstError} />
      <Steps editor={editor} actions={actions} />
      <div className={styles.barButtons}>
        <Button
          variant="default"
          leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
          disabled={!needsSaving}
          loading={is_saving && !running}
          onClick={save}
        >
          {t('bar.save')}
        </Button>
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
          loading={running}
          disabled={current !== null && current.task !== null}
          onClick={run}
        >
          {t(needsSaving ? 'bar.save_and_run' : 'bar.run')}
        </Button>
      </div>
    </div>
  )
}

function Steps({ editor: { steps }, actions }: Pick<SaveBarProps, 'editor' | 'actions'>) {
  const { t } = useTranslation('editing')
  return (
    <span className={styles.steps}>
      <ActionIcon
        aria-label={t('steps.undo')}
        title={t('steps.undo_hint')}
        disabled={!steps.can_undo}
        onClick={actions.undo}
      >
        <IconArrowBackUp size={18} stroke={1.7} />
      </ActionIcon>
      <ActionIcon
        aria-label={t('steps.redo')}
        title={t('steps.redo_hint')}
        disabled={!steps.can_redo}
        onClick={actions.redo}
      >
        <IconArrowForwardUp size={18} stroke={1.7} />
      </ActionIcon>
      <output className={styles.hidden}>{actions.said}</output>
    </span>
  )
}

interface SavingStateProps {
  editor: Editor
  setup: readonly SetupLine[]
  onView: (view: EditorView) => void
  onJump: () => void
}

function SavingState({
  editor: { base, is_dirty, is_saving, faults },
  setup,
  onView,
  onJump,
}: SavingStateProps) {
  const { t } = useTranslation('editor')
  const state = is_saving ? 'saving' : is_dirty ? 'dirty' : base === null ? 'new' : 'saved'
  const left = setup.filter(line => toneOf(line) !== 'pending')
  const [first] = left
  const Glyph = state === 'saved' ? IconCheck : IconCircleDot
  if (faults > 0 && !is_saving)
    return (
      <span className={styles.state} data-state="faults" role="alert">
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        <button type="button" className={styles.jump} onClick={onJump}>
          {t('bar.errors', { count: faults })}
        </button>
      </span>
    )
  return (
    <span className={styles.states}>
      <output className={styles.state} data-state={state}>
        <Glyph size={16} stroke={1.8} aria-hidden />
        {t(`bar.${state}`)}
      </output>
      {first && (
        <a
          className={styles.left}
          href={`#${first.section}`}
          // Links follow after the view has changed.
          onClick={() => flushSync(() => onView('settings'))}
        >
          {t('bar.left', { count: left.length })}
        </a>
      )}
    </span>
  )
}
