import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { limits } from '#shared/limits.ts'
import { blockLabels } from '#shared/headers.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { BlockCard } from './block-card.tsx'
import { ChannelPicker } from './channel-picker.tsx'
import type { DraftBlock } from './draft.ts'
import styles from './editor.module.css'
import { Section, SectionErrors } from './section.tsx'
import type { Editor } from './use-editor.ts'

/** Where the numbers come from: channels in their order, each with accounts, metrics and filters. */
export function ChannelsSection({ editor }: { editor: Editor }) {
  const { t } = useTranslation('editor')
  const { draft, change, may_change } = editor
  const { channels } = draft
  const labels = blockLabels(channels, draft.header_language, catalogueOf)
  const isFull = channels.length >= limits.channels
  const put = (index: number, block: DraftBlock) => change({ channels: channels.with(index, block) })

  function move(from: number, to: number) {
    const block = channels[from]
    if (block) change({ channels: channels.toSpliced(from, 1).toSpliced(to, 0, block) })
  }

  function add(channel: Channel) {
    change({ channels: [...channels, emptyBlock(channel)] })
    focusLater(channels.length)
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
          <ChannelPicker opened_at_first={channels.length === 0} disabled={isFull} onChoose={add} />
          {isFull && <small className={styles.quiet}>{t('block.limit', { count: limits.channels })}</small>}
        </div>
      )}
    </Section>
  )
}

/** Who has added a channel goes on with its accounts. */
const focusLater = (index: number) =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-block="${index}"] [aria-haspopup="listbox"]`)?.focus(),
  )

const emptyBlock = (channel: Channel): DraftBlock => ({
  channel,
  label: null,
  accounts: [],
  metrics: [],
  filters: [],
  on_error: 'leave_empty',
})
