import { Button } from '@mantine/core'
import { IconDeviceFloppy } from '@tabler/icons-react'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { Report } from '#shared/api/reports.ts'
import { parseStartCell } from '#shared/cell.ts'
import { LinkButton } from '#web/app/links.tsx'
import { useIsInternal } from '#web/app/me.ts'
import { notify } from '#web/app/notices.ts'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { problemText } from '#web/ui/problem-text.tsx'
import { useSave } from '../editor/data.ts'
import { LeaveQuestion } from '../editor/leave-question.tsx'
import { Checks } from './checks.tsx'
import type { Target } from './data.ts'
import styles from './target.module.css'
import { TargetFields } from './target-fields.tsx'

/** The spreadsheet of one report, with each check's outcome beside it. */
export function TargetPage({ report }: { report: Report }) {
  const { t, language } = useTranslation('target')
  const internal = useIsInternal()
  const saving = useSave()
  const [changes, setChanges] = useState<Partial<Target>>({})
  const target: Target = { ...targetOf(report), ...changes }
  const is_dirty = Object.entries(targetOf(report)).some(
    ([field, value]) => Object.entries(target).find(([name]) => name === field)?.[1] !== value,
  )
  const may_change = mayDo(report.access, 'change')
  const is_wrong = parseStartCell(target.start_cell) === 'start_cell_format'
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
          notify({ severity: 'success', message: t('saved') })
        },
        onError: ({ code, fields }) => {
          if (Object.keys(fields).length === 0 && code !== 'unreachable' && code !== 'unreadable')
            notify({ severity: 'error', message: problemText(code, 'internal', language) })
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
              disabled={!is_dirty || !may_change || is_wrong}
              loading={saving.isPending}
              onClick={save}
            >
              {t('save')}
            </Button>
          </>
        }
      />
      {!may_change && <InlineAlert severity="info">{t('only_viewer')}</InlineAlert>}
      <div className={styles.settings}>
        <Card>
          <TargetFields
            value={target}
            onChange={change => setChanges(current => ({ ...current, ...change }))}
            disabled={!may_change}
            errors={{
              spreadsheet_url: faultOf('spreadsheet_url'),
              sheet_name: faultOf('sheet_name'),
              start_cell: faultOf('start_cell'),
            }}
          />
        </Card>
        <Card title={t('checks.title')}>
          <Checks target={target} />
        </Card>
      </div>
      <LeaveQuestion unsaved={is_dirty && may_change} />
    </>
  )
}

const targetOf = ({ spreadsheet_url, sheet_name, start_cell }: Report): Target => ({
  spreadsheet_url,
  sheet_name,
  start_cell,
})
