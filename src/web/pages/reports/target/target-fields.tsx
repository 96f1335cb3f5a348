import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { cellName } from '#shared/cell.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { useMe } from '#web/client/me.ts'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { AddressField } from './address-field.tsx'
import { AdvertiserChoice } from './advertiser-choice.tsx'
import { CreateSpreadsheet } from './create-spreadsheet.tsx'
import type { Target } from './data.ts'
import { LandingMap } from './landing-map.tsx'
import { ShareSteps } from './share-steps.tsx'
import { SheetPicker } from './sheet-picker.tsx'
import { StartCell } from './start-cell.tsx'
import styles from './target.module.css'
import { TargetResult } from './target-result.tsx'
import { isFileFine, needsSharing } from './target-state.ts'
import type { ExpectedSize, TargetCheck } from './use-target-check.ts'

interface TargetFieldsProps {
  value: Target
  onChange: (change: Partial<Target>) => void
  targetCheck: TargetCheck
  size: ExpectedSize
  /** The default name of a new tab. */
  report_name: string
  /** Those that the report reads. */
  accounts: readonly number[]
  disabled?: boolean
  /** What the server has refused, by field. */
  errors?: Partial<Record<keyof Target, ReactNode>>
}

/**
 * The spreadsheet, its tab and the cell; whether the report may write there is shown as soon as a URL is
 * entered.
 */
export function TargetFields(props: TargetFieldsProps) {
  const { value, onChange, targetCheck, size, report_name, accounts, disabled = false, errors = {} } = props
  const { t } = useTranslation('target')
  const { check, state, address, landing, is_looking } = targetCheck
  const result = useRef<HTMLDivElement>(null)
  const canCreate = useMe().spreadsheet_creation === 'available' && !disabled && !isFileFine(state)
  const new_name = state === 'sheet_name_mismatch' ? (check.data?.new_name ?? null) : null
  useFoundAddress(disabled ? null : address, url => onChange({ spreadsheet_url: url }))

  function enter(url: string) {
    const isSame = addressIn(url) === addressIn(value.spreadsheet_url)
    onChange({ spreadsheet_url: url, ...(!isSame && { sheet_name: '' }) })
  }

  function take({ spreadsheet_url, sheet_name, start_cell }: Target) {
    onChange({ spreadsheet_url, sheet_name, start_cell })
    // The button that was pressed goes: the result takes its focus.
    result.current?.focus()
  }

  return (
    <div className={styles.fields}>
      {canCreate && (
        <div className={styles.create}>
          <CreateSpreadsheet report_name={report_name} accounts={accounts} onCreated={take} />
        </div>
      )}
      <AddressField
        value={value.spreadsheet_url}
        onChange={enter}
        disabled={disabled}
        error={state === 'not_a_spreadsheet' ? t('result.not_a_spreadsheet') : errors.spreadsheet_url}
      />
      <div ref={result} tabIndex={-1} className={styles.result}>
        <TargetResult state={state} is_lost={targetCheck.is_lost} url={value.spreadsheet_url} check={check} />
      </div>
      {check.data?.advertisers && (
        <AdvertiserChoice
          advertisers={check.data.advertisers}
          checking={check.isFetching}
          onChoose={check.prove}
        />
      )}
      {needsSharing(state) && check.data && !check.data.advertisers && (
        <ShareSteps
          system_user={check.data.system_user}
          url={value.spreadsheet_url}
          code={check.data.code ?? null}
          isOwner={check.data.can_share === true}
          checking={check.isFetching}
          onCheck={() => void check.refetch()}
        />
      )}
      <div className={styles.place}>
        <SheetPicker
          value={value}
          onChange={sheet_name => onChange({ sheet_name })}
          open={isFileFine(state)}
          new_name={new_name}
          suggestion={report_name}
          disabled={disabled}
          error={errors.sheet_name}
        />
        <StartCell
          value={value.start_cell}
          onChange={start_cell => onChange({ start_cell })}
          disabled={disabled}
          error={errors.start_cell}
        />
      </div>
      {is_looking && <output className={styles.checking}>{t('map.looking')}</output>}
      {landing && (
        <LandingMap
          landing={landing}
          size={size}
          onMove={disabled ? null : cell => onChange({ start_cell: cellName(cell) })}
        />
      )}
    </div>
  )
}

/** Of a bare id only the check knows where it opens; then the field shows that. */
function useFoundAddress(address: string | null, onFound: (spreadsheet_url: string) => void) {
  const found = useEffectEvent(onFound)
  useEffect(() => {
    if (address !== null) found(address)
  }, [address])
}
