import { SegmentedControl } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import '@mantine/core/styles/SegmentedControl.layer.css'
import { memo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './editor.module.css'

export type EditorView = 'settings' | 'preview'

interface ViewTabsProps {
  view: EditorView
  onChange: (view: EditorView) => void
}

/** Where there is no room for both: the settings, or the preview with the facts. Both keep their state. */
export const ViewTabs = memo(function ViewTabs({ view, onChange }: ViewTabsProps) {
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
})
