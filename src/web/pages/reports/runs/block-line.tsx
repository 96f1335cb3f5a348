import type { BlockOutcome } from '#shared/api/executions.ts'
import { errorFacts, isErrorCode } from '#shared/errors.ts'
import { LinkText } from '#web/client/links.tsx'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import styles from './block-line.module.css'
import { BlockProofLine } from './block-proof-line.tsx'
import { EmptyReason } from './empty-reason.tsx'
import { runOffers } from './run-offers.ts'
import { blockBadges } from './run-state.ts'

/** The outcome of one channel of a run: rows so far, or why there are none and what to do. */
export function BlockLine({ block, report }: { block: BlockOutcome; report?: number }) {
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
      {block.status === 'ok' && block.proof && <BlockProofLine channel={block.channel} proof={block.proof} />}
      {block.code !== null && isErrorCode(block.code) && (
        <div className={styles.why}>
          {block.empty_because ? (
            <EmptyReason because={block.empty_because} />
          ) : (
            <ProblemText code={block.code} audience={internal ? 'internal' : 'external'} />
          )}
          {block.platform_message !== null && (
            <small>{t('details.platform_said', { message: block.platform_message })}</small>
          )}
          {report !== undefined && runOffers[errorFacts(block.code).offer] !== null && (
            <LinkText to="/gs-template/template" search={{ id: report }}>
              {t('history.edit')}
            </LinkText>
          )}
        </div>
      )}
    </li>
  )
}

export function BlockLines({
  blocks,
  report,
}: {
  blocks: readonly BlockOutcome[]
  /** Offers to edit the channel where it failed. */
  report?: number
}) {
  if (blocks.length === 0) return null
  return (
    <ul className={styles.lines}>
      {/* Blocks never move within a run, and two may be alike. */}
      {blocks.map((block, index) => (
        <BlockLine key={String(index)} block={block} {...(report !== undefined && { report })} />
      ))}
    </ul>
  )
}
