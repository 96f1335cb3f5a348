import { Button } from '@mantine/core'
import { useMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useView } from '#web/pages/audiences/view.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { running } from './running.ts'

/** Uploads that go on in this tab, to come back to. */
export function RunningUploads() {
  const { t, language } = useTranslation('audiences')
  const { change } = useView()
  const { user_id } = useMe()
  const number = (count: number) => count.toLocaleString(language)
  const own = useStore(running).filter(({ user, state }) => user === user_id && state !== 'done')
  return own.map(({ audience, name, state, sent, total }) => (
    <InlineAlert
      key={audience}
      severity={state === 'stopped' ? 'warning' : 'info'}
      action={
        <Button size="xs" variant="default" onClick={() => change({ audience, tab: 'uploads' })}>
          {t('upload.running_open')}
        </Button>
      }
    >
      {t('upload.running', { name, sent: number(sent), total: number(total) })}
    </InlineAlert>
  ))
}
