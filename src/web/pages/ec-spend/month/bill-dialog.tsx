import { Button, Group, Stack } from '@mantine/core'
import type { Statement } from '#shared/api/ec-spend.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { monthText } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { useBill } from './data.ts'
import styles from './month.module.css'
import { SumsList } from './sums-list.tsx'
import { toBill } from './sums.ts'

interface BillDialogProps {
  month: string
  statements: readonly Statement[]
  onClose: () => void
}

/** What payments a locked month would make, and where they are afterwards. */
export function BillDialog({ month, statements, onClose }: BillDialogProps) {
  const { t, language } = useTranslation('closing')
  const { t: tUi } = useTranslation('ui')
  const bill = useBill()
  const billed = toBill(statements)
  const covered = statements.filter(({ covered_by }) => covered_by !== null).length
  const made = bill.data?.payments
  return (
    <Dialog
      opened
      title={t('bill.title', { month: monthText(month, language) })}
      size={520}
      loading={bill.isPending}
      onClose={onClose}
    >
      <Stack gap="md">
        {made !== undefined ? (
          <InlineAlert severity="success">{t('bill.done', { count: made })}</InlineAlert>
        ) : billed.length === 0 ? (
          <InlineAlert severity="info">{t('bill.nothing')}</InlineAlert>
        ) : (
          <div>
            <p className={styles.lead}>{t('bill.preview', { count: billed.length })}</p>
            <SumsList statements={billed} />
          </div>
        )}
        {covered > 0 && made === undefined && <p>{t('bill.covered', { count: covered })}</p>}
        {bill.error && <Problem code={bill.error.code} audience="internal" />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={bill.isPending}>
            {tUi(made === undefined ? 'cancel' : 'close')}
          </Button>
          {made !== undefined && made > 0 && (
            <LinkButton
              to="/customer/insertion-order/payments"
              search={{ search: '', page: 1, ordering: '-last_modified_at' }}
            >
              {t('bill.see')}
            </LinkButton>
          )}
          {made === undefined && (
            <Button
              disabled={billed.length === 0}
              loading={bill.isPending}
              onClick={() => bill.mutate({ month })}
            >
              {t('bill.submit', { count: billed.length })}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
