import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { RateFormat } from '#shared/api/insight-settings.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ImportPlan } from '#web/pages/rows/import-dialog.tsx'
import { codeOf } from '#web/pages/insight-settings/data.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthsLater } from '#web/ui/month.ts'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useImportRates, type RateFile, type RatePrice } from './data.ts'
import styles from './rates.module.css'

const MIB = 1024 * 1024
/** A whole history is larger; of that the server reads what is new. */
const MOST_BYTES = { plain: MIB, bank_of_taiwan: MIB, ecb: 4 * MIB } as const satisfies Record<
  RateFormat,
  number
>
const MONTHS_BACK = 59
const MONTHS_IN_VIEW = 23
const formats = ['plain', 'bank_of_taiwan', 'ecb'] as const satisfies readonly RateFormat[]
const examples = {
  plain: 'month,currency,rate\n2026-10,USD,31.505',
  ecb: 'Date,USD,JPY,…\n2026-10-30,1.0831,163.2,…',
}
const prices = ['middle', 'buy', 'sell'] as const satisfies readonly RatePrice[]

/** What the rows are read from, and how. */
interface Source {
  format: RateFormat
  month: string
  from: string
  price: RatePrice
  files: readonly File[]
  pasted: string
}

/** Rates from a file or pasted rows: first what would become of them, then the same for good. */
export function RateImport({ today, onClose }: { today: string; onClose: () => void }) {
  const { t } = useTranslation('rates')
  const { t: tImports } = useTranslation('imports')
  const { t: tUi } = useTranslation('ui')
  const [source, setSource] = useState<Source>(() => ({
    format: 'plain',
    month: monthsLater(today.slice(0, 7), -1),
    from: monthsLater(today.slice(0, 7), -MONTHS_IN_VIEW),
    price: 'middle',
    files: [],
    pasted: '',
  }))
  const trial = useImportRates()
  const real = useImportRates()
  const file = fileOf(source)
  const plan = real.data ?? trial.data
  const count = plan ? plan.create + plan.change : 0
  const isReady = plan !== undefined && plan.problems.length === 0 && count > 0
  function change(next: Source) {
    setSource(next)
    real.reset()
    trial.reset()
    // A file is complete at once; what is pasted may still be edited.
    const chosen = next.files.length > 0 && fileOf(next)
    if (chosen) trial.mutate({ ...chosen, dry_run: true })
  }
  const send = () =>
    file &&
    real.mutate(
      { ...file, dry_run: false },
      {
        onSuccess: outcome => {
          // Somebody may have changed the rates between the trial and this.
          if (outcome.problems.length > 0) return
          showToast({
            severity: 'success',
            message: tImports('done', { count: outcome.create + outcome.change }),
          })
          onClose()
        },
      },
    )
  const error = real.error ?? trial.error
  return (
    <Dialog opened onClose={onClose} title={t('import.title')} size={640} loading={real.isPending}>
      <Stack gap="md">
        <SourceFields
          source={source}
          onChange={change}
          today={today}
          loading={trial.isPending || real.isPending}
        />
        {error && <Problem code={codeOf(error)} audience="internal" />}
        {plan && <ImportPlan plan={plan} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={real.isPending}>
            {tUi('cancel')}
          </Button>
          {isReady ? (
            <Button loading={real.isPending} onClick={send}>
              {tImports('submit_rows', { count })}
            </Button>
          ) : (
            <Button
              disabled={file === null}
              loading={trial.isPending}
              onClick={() => file && trial.mutate({ ...file, dry_run: true })}
            >
              {t('import.check')}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}

/** What is sent; null: there is nothing yet. A chosen file goes before what was pasted. */
function fileOf({ format, month, from, price, files, pasted }: Source): Omit<RateFile, 'dry_run'> | null {
  const [chosen] = files
  const file = chosen ?? (pasted.trim() === '' ? null : new File([pasted], 'rates.csv', { type: 'text/csv' }))
  if (file === null) return null
  const isOfDay = format === 'bank_of_taiwan'
  return {
    file,
    format,
    month: isOfDay ? month : null,
    price: isOfDay ? price : null,
    from: format === 'ecb' ? from : null,
  }
}

interface SourceFieldsProps {
  source: Source
  onChange: (source: Source) => void
  today: string
  loading: boolean
}

function SourceFields({ source, onChange, today, loading }: SourceFieldsProps) {
  const { t } = useTranslation('rates')
  const put = (change: Partial<Source>) => onChange({ ...source, ...change })
  const running = today.slice(0, 7)
  return (
    <>
      <SegmentedField
        label={t('import.format')}
        options={formats.map(format => ({ value: format, label: t(`import.formats.${format}`) }))}
        value={source.format}
        onChange={format => put({ format })}
        hint={t(`import.hint.${source.format}`)}
      />
      {source.format === 'bank_of_taiwan' && (
        <div className={styles.pair}>
          <MonthPicker
            label={t('import.month')}
            value={source.month}
            from={monthsLater(running, -MONTHS_BACK)}
            to={running}
            latestFirst
            onChange={month => month !== null && put({ month })}
          />
          <SegmentedField
            label={t('import.price')}
            options={prices.map(price => ({ value: price, label: t(`import.prices.${price}`) }))}
            value={source.price}
            onChange={price => put({ price })}
          />
        </div>
      )}
      {source.format === 'ecb' && (
        <div className={styles.pair}>
          <MonthPicker
            label={t('import.from')}
            value={source.from}
            from={monthsLater(running, -MONTHS_BACK)}
            to={running}
            latestFirst
            onChange={from => from !== null && put({ from })}
          />
        </div>
      )}
      <FileField
        label={t('import.file')}
        value={source.files}
        onChange={files => put({ files })}
        types={['text/csv']}
        most_bytes={MOST_BYTES[source.format]}
        loading={loading}
      />
      {source.files.length === 0 && (
        <TextAreaField
          label={t('import.pasted')}
          value={source.pasted}
          onChange={pasted => put({ pasted })}
          placeholder={source.format === 'bank_of_taiwan' ? t('import.whole_file') : examples[source.format]}
          rows={5}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  )
}
