import { IconAlertTriangle, IconCircleX, IconClock, IconInfoCircle } from '@tabler/icons-react'
import type { PreviewBlock } from '#shared/api/preview.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useIsInternal } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { EmptyReason } from '#web/pages/reports/runs/empty-reason.tsx'
import { PlatformMessage } from '#web/pages/reports/runs/platform-message.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import styles from './preview.module.css'

/** The channels that are missing from the rows below, grouped by reason. */
export function PreviewBlocks({ blocks, from_run }: { blocks: readonly PreviewBlock[]; from_run: boolean }) {
  const { t } = useTranslation('preview')
  const groups = groupsOf(blocks)
  if (groups.length === 0) return null
  return (
    <ul className={styles.blocks} aria-label={t('blocks')}>
      {groups.map(([block, ...others], index) => {
        const Glyph = glyphs[block.status]
        return (
          <li key={index} data-status={block.status}>
            <Glyph size={16} stroke={1.8} aria-hidden />
            <div>
              {[block, ...others].map(({ channel, label }, at) => (
                <strong key={at}>
                  <ChannelIcon channel={channel} size={14} /> {label}
                </strong>
              ))}
              {from_run && block.status === 'later' ? <p>{t('block.from_run')}</p> : <Why block={block} />}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

type Group = [PreviewBlock, ...PreviewBlock[]]

function groupsOf(blocks: readonly PreviewBlock[]): Group[] {
  const groups: Group[] = []
  for (const block of blocks) {
    if (block.status === 'ok') continue
    const alike = groups.find(([{ status }]) => block.code === null && status === block.status)
    if (alike) alike.push(block)
    else groups.push([block])
  }
  return groups
}

function Why({ block: { channel, status, code, platform_message, empty_because } }: { block: PreviewBlock }) {
  const { t } = useTranslation('preview')
  const internal = useIsInternal()
  if (status !== 'error' && status !== 'no_data') return <p>{t(`block.${status}`)}</p>
  if (empty_because) return <EmptyReason because={empty_because} />
  return (
    <>
      <p>
        {code !== null && isErrorCode(code) && (
          <ProblemText code={code} audience={internal ? 'internal' : 'external'} channel={channel} />
        )}
      </p>
      {platform_message !== null && <PlatformMessage message={platform_message} />}
    </>
  )
}

const glyphs = {
  ok: IconInfoCircle,
  error: IconCircleX,
  no_data: IconAlertTriangle,
  nothing_yet: IconInfoCircle,
  unset: IconInfoCircle,
  later: IconClock,
} satisfies Record<PreviewBlock['status'], typeof IconClock>
