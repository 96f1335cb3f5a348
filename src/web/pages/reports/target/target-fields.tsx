import { useRef, type ReactNode } from 'react'
import { cellName } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Target } from './data.ts'
import { FileFields } from './file-fields.tsx'
import { LandingMap } from './landing-map.tsx'
import { SheetPicker } from './sheet-picker.tsx'
import { StartCell } from './start-cell.tsx'
import { TabSuggestion } from './tab-suggestion.tsx'
import styles from './target.module.css'
import { isFailed, isFileFine } from './target-state.ts'
import { useRecheck } from './use-recheck.ts'
import { useSuggestion } from './use-suggestion.ts'
import { checkOf, type ExpectedSize, type TargetCheck } from './use-target-check.ts'

interface TargetFieldsProps {
  value: Target
  onChange: (change: Partial<Target>) => void
  targetCheck: TargetCheck
  size: ExpectedSize
  /** The default name of a new tab. */
  report_name: string
  /** Those that the report reads. */
  accounts: readonly number[]
  /** What the server has refused, by field. */
  errors?: Partial<Record<keyof Target, ReactNode>>
}

/**
 * The spreadsheet, its tab and the cell; whether the report may write there is shown as soon as a URL is
 * entered.
 */
export function TargetFields(props: TargetFieldsProps) {
  const { value, onChange, size, report_name, accounts, errors = {} } = props
  const { t } = useTranslation('target')
  const targetCheck = checkOf(value, props.targetCheck)
  const { check, state, landing, is_looking } = targetCheck
  const section = useRef<HTMLDivElement>(null)
  const tab = useRef<HTMLDivElement>(null)
  const suggestion = useSuggestion({ value, onChange, targetCheck, size })
  useRecheck(section, {
    isFailed: isFailed(state),
    isFetching: check.isFetching,
    checkedAt: check.checkedAt,
    refetch: () => void check.refetch({ cancelRefetch: false }),
  })
  return (
    <div ref={section} className={styles.fields}>
      <FileFields
        value={value}
        onChange={onChange}
        targetCheck={targetCheck}
        report_name={report_name}
        accounts={accounts}
        error={errors.spreadsheet_url}
      />
      <div className={styles.place}>
        <div ref={tab} tabIndex={-1} className={styles.sheet}>
          <SheetPicker
            value={value}
            onChange={sheet_name => onChange({ sheet_name })}
            open={isFileFine(state)}
            new_name={state === 'sheet_name_mismatch' ? (check.data?.new_name ?? null) : null}
            suggestion={report_name}
            isSuggested={suggestion.isTaken}
            isPending={suggestion.isPending}
            error={errors.sheet_name}
          >
            {suggestion.isOffered && (
              <TabSuggestion
                spreadsheet_url={value.spreadsheet_url}
                offered={suggestion.offered}
                report_name={report_name}
                onChange={change => {
                  onChange(change)
                  // The button that was pressed goes: its field is next.
                  tab.current?.focus()
                }}
              />
            )}
          </SheetPicker>
        </div>
        <StartCell
          value={value.start_cell}
          onChange={start_cell => onChange({ start_cell })}
          error={errors.start_cell}
        />
      </div>
      {is_looking && <output className={styles.checking}>{t('map.looking')}</output>}
      {landing && (
        <LandingMap landing={landing} size={size} onMove={cell => onChange({ start_cell: cellName(cell) })} />
      )}
    </div>
  )
}
