import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'

export type EditorView = 'settings' | 'preview'

/** Where there is no room for both: the settings, or the preview with the facts. Both keep their state. */
export function ViewTabs({ view, onChange }: { view: EditorView; onChange: (view: EditorView) => void }) {
  const { t } = useTranslation('editor')
  return (
    <div className={styles.views}>
      <SegmentedControl<EditorView>
        fullWidth
        aria-label={t('view.label')}
        value={view}
        data={[
          { value: 'settings', label: t('view.settings') },
          { value: 'preview', label: t('view.preview') },
        ]}
        onChange={onChange}
        transitionDuration={100}
      />
    </div>
  )
}
