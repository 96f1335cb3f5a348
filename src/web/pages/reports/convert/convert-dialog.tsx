import { Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import type { Report } from '#shared/api/reports.ts'
import { noMeanings } from '#shared/block-catalogue.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { accountPath } from '#web/pages/reports/editor/account-text.ts'
import { accountsOf, meaningsQuery } from '#web/pages/reports/editor/data.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { ConversionList } from './conversion-list.tsx'
import { conversionOf, isComplete, likelyProperty, viewsOf } from './conversion.ts'
import styles from './convert-dialog.module.css'
import { useConvert } from './data.ts'

interface ConvertDialogProps {
  /** The saved report. */
  report: Report
  onClose: () => void
}

/** Creates a copy of a report over views that uses GA4 properties; the report itself stays as it is. */
export function ConvertDialog({ report, onClose }: ConvertDialogProps) {
  const { t } = useTranslation('editing')
  const { t: tEditor } = useTranslation('editor')
  const { t: tUi } = useTranslation('ui')
  const convert = useConvert()
  const navigate = useNavigate()
  const views = useQuery(accountsOf('ga')).data ?? []
  const properties = useQuery(accountsOf('ga4')).data ?? []
  const meanings = useQuery(meaningsQuery).data?.meanings ?? noMeanings
  const [picked, setPicked] = useState<ReadonlyMap<number, number>>(new Map())
  const reportViews = viewsOf(report)
  const chosen = chosenFor(reportViews, { views, properties, picked })
  const { report: converted, conversions } = conversionOf(report, chosen, {
    accounts: properties,
    meanings,
  })

  const create = () =>
    convert.mutate(
      { report, converted, name: t('convert.name', { name: report.name }).slice(0, NAME_LENGTH) },
      {
        onSuccess: made =>
          void navigate({ to: '/gs-template/template', search: { id: made.id }, ignoreBlocker: true }).then(
            () => showToast({ severity: 'success', message: t('convert.done'), sub_message: made.name }),
          ),
      },
    )

  return (
    <Dialog opened onClose={onClose} title={t('convert.title')} size={620}>
      <Stack gap="md">
        <p className={styles.detail}>{t('convert.detail')}</p>
        {properties.length === 0 && <p className={styles.detail}>{t('convert.no_properties')}</p>}
        {reportViews.map(view => (
          <SelectField
            key={view}
            label={nameOf(views, view) ?? tEditor('block.account_lost', { id: String(view) })}
            placeholder={t('convert.choose')}
            options={properties.map(property => ({
              value: String(property.id),
              label: accountPath(property),
            }))}
            value={textOf(chosen.get(view))}
            onChange={property => setPicked(new Map(picked).set(view, Number(property)))}
            searchable
          />
        ))}
        <ConversionList before={report} conversions={conversions} meanings={meanings} />
        {convert.error && <ProblemText code={convert.error.code} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={convert.isPending}>
            {tUi('cancel')}
          </Button>
          <Button loading={convert.isPending} disabled={!isComplete(report, converted)} onClick={create}>
            {t('convert.create')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}

const NAME_LENGTH = 120

/** The chosen properties, and the likely ones for the other views. */
function chosenFor(
  reportViews: readonly number[],
  {
    views,
    properties,
    picked,
  }: { views: AdAccount[]; properties: AdAccount[]; picked: ReadonlyMap<number, number> },
): ReadonlyMap<number, number> {
  const pairs = reportViews.flatMap((id): [number, number][] => {
    const view = views.find(candidate => candidate.id === id)
    const property = picked.get(id) ?? (view ? likelyProperty(view, properties) : null)
    return property === null ? [] : [[id, property]]
  })
  return new Map(pairs)
}

const textOf = (id: number | undefined) => (id === undefined ? null : String(id))

function nameOf(views: readonly AdAccount[], id: number) {
  const view = views.find(candidate => candidate.id === id)
  return view && accountPath(view)
}
