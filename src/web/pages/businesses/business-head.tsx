import { Button } from '@mantine/core'
import { IconRefresh, IconUsers } from '@tabler/icons-react'
import { useState } from 'react'
import type { Business } from '#shared/api/businesses.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText, problemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './businesses.module.css'
import { useRefresh } from './data.ts'
import { MembersDialog } from './members-dialog.tsx'

/** How old the rows are, why they were not read again, and the way to do that. */
export function BusinessHead({ business, name }: { business: Business; name: string }) {
  const { t } = useTranslation('businesses')
  const isInternal = useIsInternal()
  const [isOpen, setIsOpen] = useState(false)
  const { refreshed_at, problem, may_grant } = business
  return (
    <>
      <div className={styles.head}>
        <p className={styles.age}>
          {refreshed_at === null ? (
            t('never_read')
          ) : (
            <>
              {t('read')} <RelativeTime at={refreshed_at} />
            </>
          )}
        </p>
        {may_grant && (
          <Button
            variant="default"
            size="xs"
            leftSection={<IconUsers size={14} />}
            onClick={() => setIsOpen(true)}
          >
            {t('members.action')}
          </Button>
        )}
        {isInternal && <RefreshButton business={business} />}
      </div>
      {problem !== null && (
        <div className={styles.problem}>
          <InlineAlert severity="warning" title={t('problem')}>
            {isErrorCode(problem) ? <ProblemText code={problem} audience="internal" /> : problem}
          </InlineAlert>
        </div>
      )}
      {isOpen && <MembersDialog business={business.id} name={name} onClose={() => setIsOpen(false)} />}
    </>
  )
}

function RefreshButton({ business: { id, is_refreshing } }: { business: Business }) {
  const { t, language } = useTranslation('businesses')
  const refresh = useRefresh(id)
  const failureText = useFailureText()
  const ask = () =>
    refresh.mutate(undefined, {
      onError: error =>
        showToast({
          severity: 'error',
          message: failureText(error) ?? problemText(error.code, 'internal', language),
        }),
    })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconRefresh size={14} />}
      loading={refresh.isPending || is_refreshing}
      onClick={ask}
    >
      {t('refresh')}
    </Button>
  )
}
