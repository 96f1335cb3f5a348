import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ChannelIcon } from '../channel-icon.tsx'
import { AccountsField } from './accounts-field.tsx'
import type { DraftBlock } from './draft.ts'
import styles from './block-card.module.css'
import { FiltersField } from './filters-field.tsx'
import { MetricsField } from './metrics-field.tsx'
import { RetiredNotice } from './retired-notice.tsx'
import { SectionErrors } from './section.tsx'
import type { Editor } from './use-editor.ts'

export interface BlockProps {
  editor: Editor
  index: number
  block: DraftBlock
  onChange: (block: DraftBlock) => void
}

interface BlockCardProps extends BlockProps {
  /** How the block is called in the headers. */
  label: string
  onMove: (to: number) => void
  onDuplicate: () => void
  onRemove: () => void
}

/** One channel of the report. */
export function BlockCard(props: BlockCardProps) {
  const { editor, index, block, label, onChange } = props
  const { t } = useTranslation('editor')
  const disabled = !editor.may_change
  return (
    <fieldset
      className={styles.block}
      data-block={index}
      aria-label={`${t('block.title', { number: index + 1 })}: ${label}`}
    >
      <header className={styles.header}>
        <ChannelIcon channel={block.channel} />
        <strong>{label}</strong>
        {!disabled && <BlockActions {...props} />}
      </header>
      <div className={styles.fields}>
        <SectionErrors errors={editor.errorsAt(`channels.${index}`)} />
        <RetiredNotice editor={editor} index={index} block={block} />
        <AccountsField {...props} />
        <MetricsField {...props} />
        <FiltersField {...props} />
        <div className={styles.pair}>
          <TextField
            label={t('block.label')}
            hint={t('block.label_hint')}
            placeholder={label}
            value={block.label ?? ''}
            onChange={text => onChange({ ...block, label: text.trim() === '' ? null : text })}
            error={editor.errorAt(`channels.${index}.label`)}
            maxLength={60}
            disabled={disabled}
          />
          <SelectField
            label={t('block.on_error')}
            value={block.on_error}
            options={[
              { value: 'leave_empty', label: t('block.on_error_leave_empty') },
              { value: 'keep_previous', label: t('block.on_error_keep_previous') },
              { value: 'fail_report', label: t('block.on_error_fail_report') },
            ]}
            onChange={on_error => onChange({ ...block, on_error })}
            disabled={disabled}
          />
        </div>
      </div>
    </fieldset>
  )
}

function BlockActions({ editor, index, label, onMove, onDuplicate, onRemove }: BlockCardProps) {
  const { t } = useTranslation('editor')
  const last = editor.draft.channels.length - 1
  const actions = [
    {
      key: 'up',
      icon: IconArrowUp,
      label: t('block.up', { label }),
      off: index === 0,
      act: () => onMove(index - 1),
    },
    {
      key: 'down',
      icon: IconArrowDown,
      label: t('block.down', { label }),
      off: index === last,
      act: () => onMove(index + 1),
    },
    { key: 'copy', icon: IconCopy, label: t('block.duplicate', { label }), off: false, act: onDuplicate },
    { key: 'remove', icon: IconTrash, label: t('block.remove', { label }), off: false, act: onRemove },
  ].filter(({ key }) => last > 0 || (key !== 'up' && key !== 'down'))
  return (
    <span className={styles.actions}>
      {actions.map(action => (
        <ActionIcon
          key={action.key}
          disabled={action.off}
          aria-label={action.label}
          title={action.label}
          onClick={action.act}
        >
          <action.icon size={17} stroke={1.6} />
        </ActionIcon>
      ))}
    </span>
  )
}
