import { Button, Loader } from '@mantine/core'
import type { PermissionReply } from '#shared/api/spreadsheets.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import type { TargetState } from './target-state.ts'
import styles from './target.module.css'

interface TargetResultProps {
  state: TargetState
  /** Access was granted before and has ended. */
  is_lost: boolean
  url: string
  check: { data: PermissionReply | undefined; isFetching: boolean; refetch: () => unknown }
}

/** The result of the check as text. */
export function TargetResult({ state, is_lost, url, check }: TargetResultProps) {
  const { t } = useTranslation('target')
  const audience = useIsInternal() ? 'internal' : 'external'
  if (state === 'none' || state === 'not_a_spreadsheet') return null
  if (state === 'checking')
    return (
      <output className={styles.checking}>
        <Loader size={16} /> {t('result.checking')}
      </output>
    )
  const title = check.data?.title
  return (
    <div aria-live="polite">
      <InlineAlert
        severity={severities[state]}
        action={
          state === 'ok' ? (
            <OpenSpreadsheet url={url} size="xs" />
          ) : state in explained ? (
            <Rechecking isFetching={check.isFetching} />
          ) : (
            <Button
              size="xs"
              variant="default"
              loading={check.isFetching}
              onClick={() => void check.refetch()}
            >
              {t('check_again')}
            </Button>
          )
        }
      >
        {state === 'ok' && title !== undefined
          ? t('result.ok_titled', { title })
          : t(`result.${textFor(state, { is_lost, is_proven: check.data?.advertisers !== undefined })}`)}
        {isHelped(state) && !check.data?.can_share && (
          <p className={styles.help}>{t(`help.${state}.${audience}`)}</p>
        )}
      </InlineAlert>
    </div>
  )
}

/** It has its place while nothing is checked, so that nothing moves. */
function Rechecking({ isFetching }: { isFetching: boolean }) {
  const { t } = useTranslation('target')
  return (
    <span className={styles.rechecking} {...(!isFetching && { 'data-idle': true })}>
      <Loader size={14} aria-hidden /> {t('result.checking_again')}
    </span>
  )
}

const textFor = (
  state: Exclude<TargetState, 'none' | 'checking' | 'not_a_spreadsheet'>,
  { is_lost, is_proven }: { is_lost: boolean; is_proven: boolean },
) => (state !== 'proof_required' ? state : is_proven ? 'whose' : is_lost ? 'proof_lost' : state)

const helped = ['not_shared', 'not_editor', 'unreachable'] as const
/** What to do where the steps below do not help; internal people see more than clients. */
const isHelped = (state: TargetState): state is (typeof helped)[number] =>
  helped.some(other => other === state)

/** The fix is shown below these, with its own button to check again. */
const explained = { not_shared: true, not_editor: true, proof_required: true }

const severities = {
  ok: 'success',
  not_shared: 'error',
  not_editor: 'error',
  proof_required: 'warning',
  sheet_name_mismatch: 'error',
  sheet_name_colon: 'error',
  unreachable: 'warning',
} as const
