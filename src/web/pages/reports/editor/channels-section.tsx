import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { catalogueOf, channelIds, type Channel } from '#shared/channels/all.ts'
import { limits } from '#shared/limits.ts'
import { blockLabels } from '#shared/headers.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BlockCard } from './block-card.tsx'
import type { DraftBlock } from './draft.ts'
import styles from './editor.module.css'
import { Section, SectionErrors } from './section.tsx'
import type { Editor } from './use-editor.ts'

/** Where the numbers come from: channels in their order, each with accounts, metrics and filters. */
export function ChannelsSection({ editor }: { editor: Editor }) {
  const { t, language } = useTranslation('editor')
  const { draft, change, may_change } = editor
  const { channels } = draft
  const labels = blockLabels(channels, draft.header_language, catalogueOf)
  const isFull = channels.length >= limits.channels
  const put = (index: number, block: DraftBlock) => change({ channels: channels.with(index, block) })

  function move(from: number, to: number) {
    const block = channels[from]
    if (block) change({ channels: channels.toSpliced(from, 1).toSpliced(to, 0, block) })
  }

  return (
    <Section name="channels">
      <SectionErrors errors={editor.errorsAt('channels')} />
      {channels.length === 0 && <p className={styles.quiet}>{t('block.none')}</p>}
      {channels.map((block, index) => (
        <BlockCard
          // Blocks have no ids; they are told apart by their place.
          key={String(index)}
          editor={editor}
          index={index}
          block={block}
          label={labels[index] ?? ''}
          onChange={changed => put(index, changed)}
          onMove={to => move(index, to)}
          onDuplicate={() =>
            change({ channels: channels.toSpliced(index + 1, 0, { ...block, label: null }) })
          }
          onRemove={() => change({ channels: channels.toSpliced(index, 1) })}
        />
      ))}
      {may_change && (
        <div className={styles.add}>
          {channelIds.map(channel => (
            <Button
              key={channel}
              variant="default"
              leftSection={<IconPlus size={16} stroke={1.8} />}
              disabled={isFull}
              onClick={() => change({ channels: [...channels, emptyBlock(channel)] })}
            >
              {t('block.add_of', { channel: catalogueOf(channel).names[language] })}
            </Button>
          ))}
          {isFull && <small className={styles.quiet}>{t('block.limit', { count: limits.channels })}</small>}
        </div>
      )}
    </Section>
  )
}

const emptyBlock = (channel: Channel): DraftBlock => ({
  channel,
  label: null,
  accounts: [],
  metrics: [],
  filters: [],
  on_error: 'leave_empty',
})
