import { IconX } from '@tabler/icons-react'
import { ActionIcon } from '@mantine/core'
import type { Report } from '#shared/api/reports.ts'
import type { ReportVersion, ReportVersionSettings } from '#shared/api/report-versions.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { differences, type ConflictPart } from '#web/pages/reports/editor/conflict.ts'
import { useKnown } from '#web/pages/reports/editor/data.ts'
import { useFieldText } from '#web/pages/reports/editor/field-text.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { useVersion } from './data.ts'
import { lineDifference, type Line } from './line-difference.ts'
import { RestoreVersion } from './restore-version.tsx'
import { useVersionTexts } from './version-texts.ts'
import styles from './versions.module.css'

interface VersionComparisonProps {
  report: Report
  versions: readonly ReportVersion[]
  older: number
  newer: number
  onChoose: (chosen: { older: number; newer: number }) => void
  onClose: () => void
}

/** Two versions side by side: the fields in which they differ. */
export function VersionComparison(props: VersionComparisonProps) {
  const { report, versions, older, newer, onChoose, onClose } = props
  const { t } = useTranslation('versions')
  const [before, after] = [useVersion(report.id, older), useVersion(report.id, newer)]
  const problem = before.error ?? after.error
  const chosen = versions.find(({ version }) => version === older)
  const current = versions.find(({ is_current }) => is_current)?.version
  return (
    <Card
      title={t('compare.title')}
      actions={
        <span className={styles.actions}>
          {chosen && <RestoreVersion report={report} version={chosen} current={current} isNamed />}
          <ActionIcon variant="subtle" aria-label={t('compare.close')} onClick={onClose}>
            <IconX size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        </span>
      }
    >
      <div className={styles.choice}>
        <VersionField
          label={t('compare.older')}
          {...{ versions, value: older }}
          onChange={version => onChoose({ older: version, newer })}
        />
        <VersionField
          label={t('compare.newer')}
          {...{ versions, value: newer }}
          onChange={version => onChoose({ older, newer: version })}
        />
      </div>
      {problem ? (
        <Problem code={problem.code} onRetry={() => void Promise.all([before.refetch(), after.refetch()])} />
      ) : before.data && after.data ? (
        <Differences before={before.data} after={after.data} />
      ) : (
        <TableLoading rows={4} />
      )}
    </Card>
  )
}

interface VersionFieldProps {
  label: string
  versions: readonly ReportVersion[]
  value: number
  onChange: (version: number) => void
}

function VersionField({ label, versions, value, onChange }: VersionFieldProps) {
  const { nameOf } = useVersionTexts()
  return (
    <SelectField
      label={label}
      value={String(value)}
      options={versions.map(version => ({ value: String(version.version), label: nameOf(version) }))}
      onChange={version => onChange(Number(version))}
    />
  )
}

type Side = Pick<ReportVersionSettings, 'settings' | 'is_target_hidden'>

function Differences({ before, after }: { before: Side; after: Side }) {
  const { t } = useTranslation('versions')
  const { t: tEditor } = useTranslation('editor')
  const { t: tEditing } = useTranslation('editing')
  const fieldText = useFieldText(useKnown([...before.settings.channels, ...after.settings.channels]))
  const textOf = ({ settings, is_target_hidden }: Side, part: ConflictPart) =>
    part === 'spreadsheet' && is_target_hidden ? t('compare.hidden') : fieldText(settings, part)
  const parts = differences({
    base: before.settings,
    mine: before.settings,
    theirs: after.settings,
  }).map(({ part }) => part)
  if (parts.length === 0) return <p className={styles.quiet}>{t('compare.same')}</p>
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{tEditing('conflict.field')}</th>
            <th scope="col">{t('compare.older')}</th>
            <th scope="col">{t('compare.newer')}</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(part => {
            const lines = lineDifference(textOf(before, part), textOf(after, part))
            return (
              <tr key={part}>
                <th scope="row">{tEditor(`field.${part}`)}</th>
                <td>
                  <Lines lines={lines.before} kind="removed" />
                </td>
                <td>
                  <Lines lines={lines.after} kind="added" />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Lines({ lines, kind }: { lines: readonly Line[]; kind: 'added' | 'removed' }) {
  const Changed = kind === 'added' ? 'ins' : 'del'
  return lines.map(({ text, isChanged }, index) => (
    <span key={index} className={styles.line}>
      {isChanged ? <Changed>{text}</Changed> : text}
    </span>
  ))
}
