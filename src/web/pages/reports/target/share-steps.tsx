import { Button } from '@mantine/core'
import { IconRefresh, IconShare } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { useShareWithSystemUser } from './data.ts'
import { CheckDrawing, CopyDrawing, ShareDrawing } from './step-drawings.tsx'
import styles from './target.module.css'

interface ShareStepsProps {
  /** The address to share with. */
  system_user: string
  url: string
  /** The code to type into a cell, where control of the file has to be proven. */
  code: string | null
  /** The person can share it from here. */
  isOwner?: boolean
  onShared?: () => void
  checking: boolean
  /** null: there is nothing to be checked yet. */
  onCheck: (() => void) | null
}

/** How to let the report write there, in three steps; or, once it is shared, how to prove control of it. */
export function ShareSteps(props: ShareStepsProps) {
  const { system_user, url, code, isOwner = false, onShared, checking, onCheck } = props
  const { t } = useTranslation('target')
  const again = onCheck && (
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
  if (code !== null) return <Proof code={code} url={url} again={again} />
  if (isOwner && onShared) return <ShareNow system_user={system_user} url={url} onShared={onShared} />
  return (
    <ol className={styles.steps} aria-label={t('steps.title')}>
      <li>
        <CopyDrawing />
        <strong>{t('steps.copy')}</strong>
        <div className={styles.copyLine}>
          <code>{system_user}</code>
          <CopyButton text={system_user} />
        </div>
      </li>
      <li>
        <ShareDrawing />
        <strong>{t('steps.share')}</strong>
        <span>{t('steps.share_detail')}</span>
        <div className={styles.buttons}>
          <OpenSpreadsheet url={url} size="xs" />
        </div>
      </li>
      <li>
        <CheckDrawing />
        <strong>{t(onCheck ? 'steps.check' : 'steps.paste')}</strong>
        <span>{t(onCheck ? 'steps.check_detail' : 'steps.paste_detail')}</span>
        <div className={styles.buttons}>{again}</div>
      </li>
    </ol>
  )
}

/** One click where the person owns the spreadsheet. */
function ShareNow({
  system_user,
  url,
  onShared,
}: {
  system_user: string
  url: string
  onShared: () => void
}) {
  const { t } = useTranslation('target')
  const sharing = useShareWithSystemUser(url, onShared)
  return (
    <div className={styles.proof}>
      <p>{t('share_now.why', { system_user })}</p>
      <div className={styles.buttons}>
        <Button
          size="xs"
          leftSection={<IconShare size={14} stroke={1.8} aria-hidden />}
          loading={sharing.isPending}
          onClick={() => sharing.mutate({ system_user })}
        >
          {t('share_now.button')}
        </Button>
        <OpenSpreadsheet url={url} size="xs" />
      </div>
      {sharing.error && (
        <InlineAlert severity="error">
          <ProblemText code={sharing.error.code} />
        </InlineAlert>
      )}
    </div>
  )
}

function Proof({ code, url, again }: { code: string; url: string; again: ReactNode }) {
  const { t } = useTranslation('target')
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
}
