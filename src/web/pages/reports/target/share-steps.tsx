import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { OpenSpreadsheet } from '../open-spreadsheet.tsx'
import styles from './target.module.css'

interface ShareStepsProps {
  /** The address to share with. */
  system_user: string
  url: string
  /** What to type into a cell, where that is needed to prove whose the file is. */
  code: string | null
  checking: boolean
  onCheck: () => void
}

/** How to let the report write there, in three steps; or, once it is shared, how to prove whose it is. */
export function ShareSteps({ system_user, url, code, checking, onCheck }: ShareStepsProps) {
  const { t } = useTranslation('target')
  const again = (
    <Button
      size="xs"
      variant="light"
      leftSection={<IconRefresh size={14} stroke={1.8} />}
      loading={checking}
      onClick={onCheck}
    >
      {t('check_again')}
    </Button>
  )
  if (code !== null)
    return (
      <div className={styles.proof}>
        <p>{t('why_proof')}</p>
        <div className={styles.copyLine}>
          <code aria-label={t('code')}>{code}</code>
          <CopyButton text={code} />
        </div>
        <div className={styles.buttons}>
          <OpenSpreadsheet url={url} size="xs" />
          {again}
        </div>
      </div>
    )
  return (
    <ol className={styles.steps} aria-label={t('steps.title')}>
      <li>
        <strong>{t('steps.copy')}</strong>
        <div className={styles.copyLine}>
          <code>{system_user}</code>
          <CopyButton text={system_user} />
        </div>
      </li>
      <li>
        <strong>{t('steps.share')}</strong>
        <span>{t('steps.share_detail')}</span>
        <div className={styles.buttons}>
          <OpenSpreadsheet url={url} size="xs" />
        </div>
      </li>
      <li>
        <strong>{t('steps.check')}</strong>
        <span>{t('steps.check_detail')}</span>
        <div className={styles.buttons}>{again}</div>
      </li>
    </ol>
  )
}
