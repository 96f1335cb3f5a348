import { Button } from '@mantine/core'
import type { CloneOutcome } from '#shared/api/bulk-operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { Problem } from '#web/ui/problem.tsx'
import styles from './bulk-changes.module.css'
import type { RequestState } from './clone-choice.tsx'
import type { CloneDraft } from './clone-draft.ts'
import { OutcomeList } from './outcome-list.tsx'

interface CloneCheckProps {
  draft: CloneDraft
  outcome: CloneOutcome
  request: RequestState
  onChange: (draft: CloneDraft) => void
  onBack: () => void
  onNext: () => void
}

/** The copies that would be made, and those that cannot be. */
export function CloneCheck({ draft, outcome, request, onChange, onBack, onNext }: CloneCheckProps) {
  const { t } = useTranslation('bulk_changes')
  const fine = outcome.results.filter(({ status }) => status === 'ok')
  const refused = outcome.results.filter(({ status }) => status === 'refused')
  return (
    <>
      <p className={styles.hint}>{t('clone.check_hint')}</p>
      <OutcomeList
        title={t('clone.will', { count: fine.length })}
        results={fine}
        detail={({ copy }) => copy && <CopyFacts copy={copy} />}
      />
      <OutcomeList title={t('cannot', { count: refused.length })} results={refused} />
      {refused.length > 0 && (
        <CheckboxField
          label={t('clone.all_or_nothing')}
          checked={draft.all_or_nothing}
          onChange={all_or_nothing => onChange({ ...draft, all_or_nothing })}
        />
      )}
      {outcome.left_out > 0 && <p className={styles.hint}>{t('left_out', { count: outcome.left_out })}</p>}
      {request.error && <Problem code={request.error.code} />}
      <div className={styles.buttons}>
        <Button variant="default" disabled={request.isPending} onClick={onBack}>
          {t('back')}
        </Button>
        <Button
          loading={request.isPending}
          disabled={fine.length === 0 || (draft.all_or_nothing && refused.length > 0)}
          onClick={onNext}
        >
          {t('clone.act', { count: fine.length })}
        </Button>
      </div>
    </>
  )
}

type Copy = NonNullable<CloneOutcome['results'][number]['copy']>

/** What the copy is called, where it goes, and what it lacks. */
export function CopyFacts({ copy: { name, folder, accounts_left_out, gaps } }: { copy: Copy }) {
  const { t } = useTranslation('bulk_changes')
  const { t: tReports } = useTranslation('reports')
  // Every copy lacks a spreadsheet; what it lacks beside is worth saying.
  const isEmpty = gaps.includes('channels_not_set')
  return (
    <>
      <p>→ {[...(folder.length > 0 ? folder : [tReports('folders.root')]), name].join(' / ')}</p>
      {accounts_left_out > 0 && <p>{t('clone.accounts_left_out', { count: accounts_left_out })}</p>}
      {isEmpty && <p>{t('clone.empty')}</p>}
    </>
  )
}
