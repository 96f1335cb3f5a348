import { Button, Group } from '@mantine/core'
import type { Audience } from '#shared/api/audiences.ts'
import { useMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { AccountsStep } from './accounts-step.tsx'
import { BasisStep } from './basis-step.tsx'
import { ColumnsStep } from './columns-step.tsx'
import { FileStep } from './file-step.tsx'
import { HashStep } from './hash-step.tsx'
import { running } from './running.ts'
import { SendStep } from './send-step.tsx'
import { isWhole, steps, type Step } from './upload-draft.ts'
import { useUpload, type Upload } from './use-upload.ts'

interface UploadDialogProps {
  audience: Audience
  onClose: () => void
}

/** A customer file in steps, from the file to what the server has taken. Closed, it is sent nevertheless. */
export function UploadDialog({ audience, onClose }: UploadDialogProps) {
  const { t } = useTranslation('audiences')
  const { user_id } = useMe()
  const upload = useUpload(audience)
  const underWay = useStore(running).find(each => each.audience === audience.id && each.user === user_id)
  const step = underWay ? 'send' : upload.draft.step
  function close() {
    if (underWay?.state === 'done') underWay.cancel()
    onClose()
  }
  return (
    <Dialog opened size={760} title={t('upload.title', { name: audience.name })} onClose={close}>
      <div className={styles.upload}>
        <Steps current={step} />
        {step !== 'send' && <p className={styles.hint}>{t('upload.local')}</p>}
        {step === 'file' && <FileStep upload={upload} />}
        {step === 'columns' && <ColumnsStep upload={upload} />}
        {step === 'hash' && <HashStep upload={upload} />}
        {step === 'basis' && <BasisStep upload={upload} audience={audience} />}
        {step === 'accounts' && <AccountsStep upload={upload} audience={audience} />}
        {underWay && <SendStep upload={underWay} audience={audience} onClose={close} />}
        {upload.draft.failure && (
          <InlineAlert severity="error">{t(`upload.${upload.draft.failure}`)}</InlineAlert>
        )}
        {!underWay && <Buttons upload={upload} step={step} />}
      </div>
    </Dialog>
  )
}

function Steps({ current }: { current: Step }) {
  const { t } = useTranslation('audiences')
  const at = steps.indexOf(current)
  return (
    <ol className={styles.steps} aria-label={t('upload.steps')}>
      {steps.map((step, index) => (
        <li key={step} data-done={index < at || undefined} aria-current={index === at ? 'step' : undefined}>
          {t(`upload.step.${step}`)}
        </li>
      ))}
    </ol>
  )
}

function Buttons({ upload, step }: { upload: Upload; step: Step }) {
  const { t } = useTranslation('audiences')
  const { draft, change, count, send } = upload
  const at = steps.indexOf(step)
  const next = () => {
    if (step === 'columns') void count()
    else if (step === 'accounts') send()
    else change({ step: steps[at + 1] ?? step })
  }
  return (
    <Group justify="flex-end" gap="xs">
      {at > 0 && (
        <Button variant="default" onClick={() => change({ step: steps[at - 1] ?? step, failure: null })}>
          {t('upload.back')}
        </Button>
      )}
      <Button disabled={!isWhole({ ...draft, step })} onClick={next}>
        {t(step === 'accounts' ? 'upload.send' : 'upload.next')}
      </Button>
    </Group>
  )
}
