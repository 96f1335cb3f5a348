import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { addressIn } from '#web/pages/reports/spreadsheet-link.ts'
import { AddressField } from './address-field.tsx'
import { AdvertiserChoice } from './advertiser-choice.tsx'
import { CreateSpreadsheet } from './create-spreadsheet.tsx'
import type { Target } from './data.ts'
import { ShareSteps } from './share-steps.tsx'
import { SpreadsheetPicker } from './spreadsheet-picker.tsx'
import styles from './target.module.css'
import { TargetResult } from './target-result.tsx'
import { isFileFine, needsSharing } from './target-state.ts'
import type { TargetCheck } from './use-target-check.ts'

interface FileFieldsProps {
  value: Target
  onChange: (change: Partial<Target>) => void
  targetCheck: TargetCheck
  report_name: string
  /** Those that the report reads. */
  accounts: readonly number[]
  error: ReactNode
}

/** Which spreadsheet: a new one, one of the person's, or the one at an address; with the check of it. */
export function FileFields(props: FileFieldsProps) {
  const { value, onChange, targetCheck, report_name, accounts, error } = props
  const { t } = useTranslation('target')
  const { check, state, address } = targetCheck
  const result = useRef<HTMLDivElement>(null)
  // One that only waits for its client is there already.
  const isThere = isFileFine(state) || check.data?.advertisers !== undefined
  const canCreate = useMe().spreadsheet_creation === 'available' && !isThere
  useFoundAddress(address, url => onChange({ spreadsheet_url: url }))

  function enter(url: string) {
    const isSame = addressIn(url) === addressIn(value.spreadsheet_url)
    onChange({ spreadsheet_url: url, ...(!isSame && { sheet_name: '' }) })
  }

  function take({ spreadsheet_url, sheet_name, start_cell }: Target) {
    onChange({ spreadsheet_url, sheet_name, start_cell })
    showResult()
  }

  /** The button that was pressed goes: the result takes its focus. */
  function showResult() {
    result.current?.focus()
  }

  return (
    <>
      <div className={styles.sources}>
        {canCreate && <CreateSpreadsheet report_name={report_name} accounts={accounts} onCreated={take} />}
        <SpreadsheetPicker isChosen={isFileFine(state)} onChoose={enter} />
      </div>
      <AddressField
        value={value.spreadsheet_url}
        onChange={enter}
        error={state === 'not_a_spreadsheet' ? t('result.not_a_spreadsheet') : error}
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
          onShared={() => {
            void check.refetch()
            showResult()
          }}
        />
      )}
    </>
  )
}

/** Of a bare id only the check knows where it opens; then the field shows that. */
function useFoundAddress(address: string | null, onFound: (spreadsheet_url: string) => void) {
  const found = useEffectEvent(onFound)
  useEffect(() => {
    if (address !== null) found(address)
  }, [address])
}
