import { Button } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { parseStartCell } from '#shared/cell.ts'
import { rangeOfRun, todayIn } from '#shared/date-range.ts'
import { tableSize } from '#shared/table-size.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { showToast } from '#web/client/toasts.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useSave } from '#web/pages/reports/editor/data.ts'
import { LeaveConfirmation } from '#web/pages/reports/editor/leave-confirmation.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { Checks } from './checks.tsx'
import { useSystemUser, type Target } from './data.ts'
import { ShareSteps } from './share-steps.tsx'
import { TargetFields } from './target-fields.tsx'
import styles from './target.module.css'
import { useTargetCheck, type ExpectedSize } from './use-target-check.ts'

/** The spreadsheet of one report, with each check's outcome beside it. */
export function TargetPage({ report }: { report: Report }) {
  const { t, language } = useTranslation('target')
  const internal = useIsInternal()
  const saving = useSave()
  const [changes, setChanges] = useState<Partial<Target>>({})
  const target: Target = { ...targetOf(report), ...changes }
  const isDirty = Object.entries(targetOf(report)).some(
    ([field, value]) => Object.entries(target).find(([name]) => name === field)?.[1] !== value,
  )
  const size = useMemo(() => sizeOfSaved(report), [report])
  const targetCheck = useTargetCheck(target, { saved: report, size })
  const isWrong = parseStartCell(target.start_cell) === 'start_cell_format'
  const faultOf = (field: keyof Target) => {
    const [code] = saving.error?.fields[field] ?? []
    return code && !(field in changes && saving.variables?.draft[field] !== target[field])
      ? problemText(code, internal ? 'internal' : 'external', language)
      : undefined
  }
  usePageTitle(`${t('title')} · ${report.name}`)

  function save() {
    saving.mutate(
      { draft: target, report, folder: null },
      {
        onSuccess: () => {
          setChanges({})
          showToast({ severity: 'success', message: t('saved') })
        },
        onError: ({ code, fields }) => {
          if (Object.keys(fields).length === 0)
            showToast({ severity: 'error', message: problemText(code, 'internal', language) })
        },
      },
    )
  }

  return (
    <>
      <PageHeader
        title={t('title')}
        detail={t('detail', { name: report.name })}
        actions={
          <>
            <LinkButton to="/gs-template/template" search={{ id: report.id }} variant="default">
              {t('back')}
            </LinkButton>
            <Button
              leftSection={<IconDeviceFloppy size={16} stroke={1.7} />}
              disabled={!isDirty || isWrong}
              loading={saving.isPending}
              onClick={save}
            >
              {t('save')}
            </Button>
          </>
        }
      />
      <div className={styles.settings}>
        <Card>
          <TargetFields
            value={target}
            targetCheck={targetCheck}
            size={size}
            report_name={report.name}
            accounts={report.channels.flatMap(block => block.accounts)}
            onChange={change => setChanges(current => ({ ...current, ...change }))}
            errors={{
              spreadsheet_url: faultOf('spreadsheet_url'),
              sheet_name: faultOf('sheet_name'),
              start_cell: faultOf('start_cell'),
            }}
          />
          {targetCheck.state === 'none' && <FirstSteps />}
        </Card>
        <Card title={t('checks.title')}>
          <Checks target={target} targetCheck={targetCheck} />
        </Card>
      </div>
      <LeaveConfirmation unsaved={isDirty} />
    </>
  )
}

/** The instructions, while no spreadsheet is entered yet. */
function FirstSteps() {
  const system_user = useSystemUser().data
  if (system_user === undefined) return null
  return (
    <div className={styles.firstSteps}>
      <ShareSteps system_user={system_user} url="" code={null} checking={false} onCheck={null} />
    </div>
  )
}

/** From its last table, else from its description alone. */
function sizeOfSaved(report: Report): ExpectedSize {
  const { rows, columns } = tableSize(
    report,
    rangeOfRun(report.date_range, todayIn(report.timezone, new Date())),
  )
  return { rows: report.last_run?.rows ?? rows, kind: 'about', columns }
}

const targetOf = ({ spreadsheet_url, sheet_name, start_cell }: Report): Target => ({
  spreadsheet_url,
  sheet_name,
  start_cell,
})
