import type { BlockOutcome } from '#shared/api/executions.ts'
import type { Report } from '#shared/api/reports.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import styles from './block-line.module.css'
import { BlockProgress, type RunWait } from './block-progress.tsx'
import { BlockProofLine } from './block-proof-line.tsx'
import { EmptyReason } from './empty-reason.tsx'
import { FailureAction } from './failure-action.tsx'
import { PlatformMessage } from './platform-message.tsx'
import { blockBadges } from './run-state.ts'

interface BlockLineProps {
  block: BlockOutcome
  index: number
  report?: ActingReport
  wait?: RunWait
}

type ActingReport = Pick<Report, 'id' | 'name' | 'access'>

/** The outcome of one channel of a run: rows so far, or why there are none and what to do. */
export function BlockLine({ block, index, report, wait }: BlockLineProps) {
  const { t } = useTranslation('runs')
  const internal = useIsInternal()
  return (
    <li className={styles.line}>
      <ChannelIcon channel={block.channel} size={15} />
      <span className={styles.label}>{block.label}</span>
      <span className={styles.rows} data-tabular>
        {block.status !== 'pending' && t('rows', { count: block.rows })}
      </span>
      <StatusBadge {...blockBadges[block.status]} label={t(`block.${block.status}`)} />
      <BlockProgress block={block} wait={wait} />
      {block.status === 'ok' && block.proof && <BlockProofLine channel={block.channel} proof={block.proof} />}
      {block.code !== null && isErrorCode(block.code) && (
        <div className={styles.why}>
          {block.empty_because ? (
            <EmptyReason because={block.empty_because} />
          ) : (
            <ProblemText
              code={block.code}
              audience={internal ? 'internal' : 'external'}
              channel={block.channel}
            />
          )}
          {block.platform_message !== null && <PlatformMessage message={block.platform_message} />}
          {report !== undefined && (
            <FailureAction code={block.code} report={report} channel={index} of={block.channel} />
          )}
        </div>
      )}
    </li>
  )
}

export function BlockLines({
  blocks,
  report,
  wait,
}: {
  blocks: readonly BlockOutcome[]
  /** Offers what can be done where it failed. */
  report?: ActingReport
  wait?: RunWait
}) {
  if (blocks.length === 0) return null
  return (
    <ul className={styles.lines}>
      {/* Blocks never move within a run, and two may be alike. */}
      {blocks.map((block, index) => (
        <BlockLine
          key={String(index)}
          block={block}
          index={index}
          {...(report && { report })}
          {...(wait && { wait })}
        />
      ))}
    </ul>
  )
}
