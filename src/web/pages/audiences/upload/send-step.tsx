import { Button, Group } from '@mantine/core'
import type { Audience } from '#shared/api/audiences.ts'
import type { ProblemCode } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { useUploads } from '#web/pages/audiences/data.ts'
import { RefusalText } from '#web/pages/audiences/refusal-text.tsx'
import { Refusals } from '#web/pages/audiences/share-dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import type { RunningUpload } from './running.ts'

interface SendStepProps {
  upload: RunningUpload
  audience: Audience
  onClose: () => void
}

/** How far the upload is; it goes on when this is closed. */
export function SendStep({ upload, audience, onClose }: SendStepProps) {
  const { t, language } = useTranslation('audiences')
  const { sent, total, state, problem, name, shares, cancel } = upload
  const number = (count: number) => count.toLocaleString(language)
  return (
    <div className={styles.fields}>
      <progress
        className={styles.progress}
        value={sent}
        max={total}
        aria-label={t('upload.sending', { sent: number(sent), total: number(total) })}
      />
      <p role="status" className={styles.text}>
        {state === 'done'
          ? t('upload.done', { count: number(total), name })
          : t('upload.sending', { sent: number(sent), total: number(total) })}
      </p>
      {state === 'sending' && <p className={styles.hint}>{t('upload.stay')}</p>}
      {state === 'waiting' && <InlineAlert severity="warning">{t('upload.waiting')}</InlineAlert>}
      {state === 'stopped' && problem && <Stopped upload={upload} problem={problem} />}
      {state === 'done' && <Refusals audience={audience} shares={shares} />}
      <Group justify="flex-end" gap="xs">
        {state !== 'done' && (
          <Button variant="subtle" color="red" onClick={cancel}>
            {t('upload.cancel')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('upload.close')}
        </Button>
      </Group>
    </div>
  )
}

/** Why it goes no further. One's own upload that broke off earlier, by leaving the page, gives way. */
function Stopped({ upload, problem }: { upload: RunningUpload; problem: ProblemCode }) {
  const { t } = useTranslation('audiences')
  const { data = [] } = useUploads(upload.audience)
  const before =
    problem === 'upload_open' &&
    data.find(({ state, created_by }) => state === 'open' && created_by === upload.user)
  return (
    <InlineAlert
      severity="error"
      title={t('upload.stopped')}
      action={
        before ? (
          <Button size="xs" onClick={() => upload.startOver(before.session)}>
            {t('upload.start_over')}
          </Button>
        ) : (
          <Button size="xs" onClick={upload.resume}>
            {t('upload.resume')}
          </Button>
        )
      }
    >
      {before ? (
        t('upload.broken_off')
      ) : problem === 'unreadable' ? (
        t('upload.failed')
      ) : (
        <RefusalText code={problem} />
      )}
    </InlineAlert>
  )
}
