import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleDot,
  IconDeviceFloppy,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'
import type { Editor } from './use-editor.ts'

interface SaveBarProps {
  editor: Editor
  running: boolean
  onSave: () => void
  onRun: () => void
}

/** Always in reach: the state of saving, save, and save and run. */
export function SaveBar({ editor, running, onSave, onRun }: SaveBarProps) {
  const { t } = useTranslation('editor')
  const { base, current, is_dirty, is_saving, may_change } = editor
  const needs_saving = base === null || is_dirty
  return (
    <div className={styles.bar}>
      <SavingState editor={editor} />
      <div className={styles.barButtons}>
        {may_change && (
          <Button
            variant="default"
            leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
            disabled={!needs_saving}
            loading={is_saving && !running}
            onClick={onSave}
          >
            {t('bar.save')}
          </Button>
        )}
        <Button
          leftSection={<IconPlayerPlay size={16} stroke={1.7} />}
          loading={running}
          disabled={current !== null && current.task !== null}
          onClick={onRun}
        >
          {t(needs_saving && may_change ? 'bar.save_and_run' : 'bar.run')}
        </Button>
      </div>
    </div>
  )
}

function SavingState({ editor: { base, is_dirty, is_saving, faults, may_change } }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const state = is_saving ? 'saving' : is_dirty ? 'dirty' : base === null ? 'new' : 'saved'
  const Glyph = state === 'saved' ? IconCheck : IconCircleDot
  // The notice at the top says why.
  if (!may_change) return <span />
  if (faults > 0 && !is_saving)
    return (
      <span className={styles.state} data-state="faults" role="alert">
        <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
        {t('bar.errors', { count: faults })}
      </span>
    )
  return (
    <output className={styles.state} data-state={state}>
      <Glyph size={16} stroke={1.8} aria-hidden />
      {t(`bar.${state}`)}
    </output>
  )
}
