import { Button, Group } from '@mantine/core'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { instantText } from '#web/ui/times.ts'
import styles from './editor.module.css'
import type { Editor } from './use-editor.ts'

/** Unsaved changes of an earlier page, which was closed, reloaded or lost its session. */
export function RestoreNotice({ editor }: { editor: Editor }) {
  const { t, language } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const { local, restore } = editor
  const { found } = local
  if (found === null) return null
  const at = instantText(new Date(found.at_ms).toISOString(), language)
  const name = found.content.draft.name.trim() || t('unnamed')
  return (
    <div className={styles.notice}>
      <InlineAlert
        severity="warning"
        action={
          <Group gap="xs" wrap="nowrap">
            <Button size="xs" variant="default" onClick={local.discard}>
              {tEditing('local.discard')}
            </Button>
            <Button size="xs" onClick={restore}>
              {tEditing('local.restore')}
            </Button>
          </Group>
        }
      >
        {found.content.base === null
          ? tEditing('local.found_new', { at, name })
          : tEditing('local.found', { at })}
      </InlineAlert>
    </div>
  )
}
