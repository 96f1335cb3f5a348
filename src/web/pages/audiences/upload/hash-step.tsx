import { Button, Loader } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/audiences/audiences.module.css'
import { Counts } from '#web/pages/audiences/uploads-tab.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { whyNotSend } from './upload-draft.ts'
import type { Upload } from './use-upload.ts'

/** What there is in the file, once all of it has been read. */
export function HashStep({ upload: { draft, save } }: { upload: Upload }) {
  const { t, language } = useTranslation('audiences')
  const { counted, read, failure } = draft
  if (failure !== null) return null
  if (!counted)
    return (
      <p className={styles.waiting} role="status">
        <Loader size={16} aria-hidden />
        {t('upload.hashing', { count: read.toLocaleString(language) })}
      </p>
    )
  const { rows, counts } = counted
  const reason = whyNotSend(counts)
  const { no_identifier, bad_email, bad_phone, no_consent } = counts
  return (
    <div className={styles.fields}>
      <Counts counts={counts} rows={rows} />
      {no_identifier + bad_email + bad_phone + no_consent > 0 && (
        <div>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} stroke={1.8} aria-hidden />}
            onClick={() => void save('rejects')}
          >
            {t('upload.save_rejects')}
          </Button>
        </div>
      )}
      {reason && <InlineAlert severity="warning">{t(`upload.${reason}`)}</InlineAlert>}
    </div>
  )
}
