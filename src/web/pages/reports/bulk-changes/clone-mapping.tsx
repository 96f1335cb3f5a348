import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { AccountInUse, CloneOutcome } from '#shared/api/bulk-operations.ts'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TagsField } from '#web/ui/tags-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { accountPath } from '#web/pages/reports/editor/account-text.ts'
import { accountsOf } from '#web/pages/reports/editor/data.ts'
import { useFolders } from '#web/pages/reports/list/data.ts'
import styles from './bulk-changes.module.css'
import type { RequestState } from './clone-choice.tsx'
import type { CloneDraft } from './clone-draft.ts'
import { folderOptions } from '#web/pages/reports/list/folder-options.ts'

interface CloneMappingProps {
  draft: CloneDraft
  outcome: CloneOutcome
  request: RequestState
  onChange: (draft: CloneDraft) => void
  onBack: () => void
  onNext: () => void
}

/** Which account replaces which, where the copies go and what they are called. */
export function CloneMapping({ draft, outcome, request, onChange, onBack, onNext }: CloneMappingProps) {
  const { t, language } = useTranslation('bulk_changes')
  const byChannel = Map.groupBy(outcome.accounts, account => account.channel)
  return (
    <>
      <p className={styles.hint}>
        {outcome.accounts.length === 0
          ? t('clone.no_accounts')
          : t('clone.mapping_hint', { count: outcome.results.length })}
      </p>
      {[...byChannel].map(([channel, accounts]) => (
        <section key={channel} className={styles.mapping} aria-label={channelNames[channel][language]}>
          <h3 className={styles.group}>{channelNames[channel][language]}</h3>
          {accounts.map(account => (
            <MapRow
              key={account.id}
              account={account}
              channel={channel}
              advertiser={draft.advertiser}
              to={draft.accounts.get(account.id) ?? null}
              onChange={to => onChange({ ...draft, accounts: new Map(draft.accounts).set(account.id, to) })}
            />
          ))}
        </section>
      ))}
      <TargetFolderFields draft={draft} onChange={onChange} />
      {request.error && <Problem code={request.error.code} />}
      <div className={styles.buttons}>
        <Button variant="default" disabled={request.isPending} onClick={onBack}>
          {t('back')}
        </Button>
        <Button loading={request.isPending} disabled={outcome.results.length === 0} onClick={onNext}>
          {t('next')}
        </Button>
      </div>
    </>
  )
}

const NONE = 'none'

interface MapRowProps {
  account: AccountInUse
  channel: Channel
  advertiser: number | null
  to: number | null
  onChange: (to: number | null) => void
}

function MapRow({ account, channel, advertiser, to, onChange }: MapRowProps) {
  const { t } = useTranslation('bulk_changes')
  const accounts = useQuery(accountsOf(channel)).data ?? []
  const name = account.name ?? t('account_lost', { id: String(account.id) })
  const options = accounts
    .filter(candidate => candidate.advertiser === advertiser)
    .map(candidate => ({
      value: String(candidate.id),
      label: `${accountPath(candidate)} · ${candidate.currency}`,
    }))
  return (
    <div className={styles.mapRow}>
      <span>
        {name}
        <small>
          {[account.currency, t('in_reports', { count: account.reports })].filter(Boolean).join(' · ')}
        </small>
      </span>
      <SelectField
        aria-label={t('clone.instead_of', { name })}
        options={[{ value: NONE, label: t('clone.left_out') }, ...options]}
        value={to === null ? NONE : String(to)}
        // An account that one may not use cannot be distinguished from others.
        disabled={account.name === null}
        onChange={value => onChange(value === NONE ? null : Number(value))}
        searchable
      />
    </div>
  )
}

const TOP = '0'

function TargetFolderFields({ draft, onChange }: Pick<CloneMappingProps, 'draft' | 'onChange'>) {
  const { t, language } = useTranslation('bulk_changes')
  const { t: tReports } = useTranslation('reports')
  const folders = useFolders().data ?? []
  return (
    <div className={styles.pair}>
      <SelectField
        label={t('clone.under')}
        options={[{ value: TOP, label: tReports('folders.root') }, ...folderOptions(folders, language)]}
        value={draft.under === null ? TOP : String(draft.under)}
        onChange={id => onChange({ ...draft, under: id === TOP ? null : Number(id) })}
        searchable
      />
      <TextField
        label={t('clone.new_folder')}
        hint={t('clone.new_folder_hint')}
        value={draft.new_folder}
        onChange={new_folder => onChange({ ...draft, new_folder })}
        maxLength={120}
      />
      <TagsField
        label={t('clone.find')}
        hint={t('clone.find_hint')}
        value={draft.find}
        onChange={find => onChange({ ...draft, find })}
      />
      <TextField
        label={t('clone.replace')}
        value={draft.replace}
        onChange={replace => onChange({ ...draft, replace })}
        maxLength={120}
      />
    </div>
  )
}
