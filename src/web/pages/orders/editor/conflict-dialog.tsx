import { Button, Group } from '@mantine/core'
import type { Quotation } from '#shared/api/quotations.ts'
import type { QuotationSums } from '#shared/billing/quotation.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { instantText } from '#web/ui/times.ts'
import type { Draft } from './draft.ts'
import styles from './conflict-dialog.module.css'

interface ConflictDialogProps {
  theirs: Quotation
  mine: Draft
  sums: QuotationSums
  isSaving: boolean
  onTake: () => void
  onKeep: () => void
  onClose: () => void
}

/** Somebody else has saved in the meantime: both stand beside each other, and one is kept. */
export function ConflictDialog({ theirs, mine, sums, isSaving, ...props }: ConflictDialogProps) {
  const { t, language } = useTranslation('quotation')
  const rows = [
    [t('head.name'), mine.title, theirs.title],
    [t('conflict.lines'), String(mine.lines.length), String(theirs.lines.length)],
    [
      t('conflict.total'),
      formatMoney(sums.total, mine.currency, language),
      formatMoney(theirs.total, theirs.currency, language),
    ],
  ]
  return (
    <Dialog opened title={t('conflict.title')} size={560} loading={isSaving} onClose={props.onClose}>
      <p>{t('conflict.detail', { at: instantText(theirs.last_modified_at, language) })}</p>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('conflict.what')}</th>
            <th scope="col">{t('conflict.mine')}</th>
            <th scope="col">{t('conflict.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, own, other]) => (
            <tr key={name} data-changed={own !== other || undefined}>
              <th scope="row">{name}</th>
              <td>{own}</td>
              <td>{other}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button variant="default" disabled={isSaving} onClick={props.onTake}>
          {t('conflict.take_theirs')}
        </Button>
        <Button loading={isSaving} onClick={props.onKeep}>
          {t('conflict.keep_mine')}
        </Button>
      </Group>
    </Dialog>
  )
}
