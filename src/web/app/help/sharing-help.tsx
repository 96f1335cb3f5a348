import { useQuery } from '@tanstack/react-query'
import type { PermissionReply } from '#shared/api/spreadsheets.ts'
import { client } from '#web/client/client.ts'
import type { Problem as RequestProblem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './help.module.css'

/** The address of the system user, and how a spreadsheet is shared with it. */
export function SharingHelp() {
  const { t } = useTranslation('help')
  const { data, error, refetch } = useQuery<PermissionReply, RequestProblem>({
    queryKey: ['system_user'],
    queryFn: ({ signal }) => client.get('/api/ad/gs_permission_check/?spreadsheet_url=', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <Problem code={error.code} onRetry={() => void refetch()} />
  if (!data) return <TableLoading rows={2} />
  return (
    <ol className={styles.steps}>
      <li>
        {t('sharing.copy')}
        <div className={styles.address}>
          <code>{data.system_user}</code>
          <CopyButton text={data.system_user} />
        </div>
      </li>
      <li>{t('sharing.share')}</li>
      <li>{t('sharing.paste')}</li>
    </ol>
  )
}
