import { ActionIcon, Button, Input } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useId, useState, type ReactNode } from 'react'
import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { ActionList } from './action-list.tsx'
import styles from './conversions.module.css'
import {
  countsOf,
  entryChannels,
  entryName,
  keyOf,
  MOST_ENTRIES,
  toggled,
  type EntryChannel,
} from './entries.ts'
import { EntryText } from './entry-text.tsx'

interface EntriesFieldProps {
  advertiser: number
  value: readonly ConversionEntry[]
  onChange: (entries: ConversionEntry[]) => void
  error?: ReactNode
}

/** What counts: chosen channel by channel, from the account's own actions, the metrics, or by name. */
export function EntriesField({ advertiser, value, onChange, error }: EntriesFieldProps) {
  const { t, language } = useTranslation('conversions')
  const id = useId()
  const [channel, setChannel] = useState<EntryChannel>(value[0]?.channel ?? 'fb')
  const toggle = (entry: ConversionEntry) => onChange(toggled(value, entry))
  return (
    <Input.Wrapper
      id={id}
      labelElement="div"
      label={t('field.entries')}
      withAsterisk
      {...(error && { error })}
    >
      <div className={styles.field} role="group" aria-label={t('field.entries')}>
        <Chosen value={value} onRemove={toggle} />
        <SegmentedField
          label={t('channel')}
          labelHidden
          options={entryChannels.map(each => ({ value: each, label: channelNames[each][language] }))}
          value={channel}
          onChange={setChannel}
        />
        <ActionList
          key={`${advertiser} ${channel}`}
          advertiser={advertiser}
          channel={channel}
          value={value}
          onToggle={toggle}
        />
        <Metrics channel={channel} value={value} onChange={onChange} />
        <ByName
          key={channel}
          isFull={value.length >= MOST_ENTRIES}
          onAdd={action => onChange([...value.filter(isOther({ channel, action })), { channel, action }])}
        />
      </div>
    </Input.Wrapper>
  )
}

const isOther = (entry: ConversionEntry) => (each: ConversionEntry) => keyOf(each) !== keyOf(entry)

function Chosen({
  value,
  onRemove,
}: {
  value: readonly ConversionEntry[]
  onRemove: (entry: ConversionEntry) => void
}) {
  const { t, language } = useTranslation('conversions')
  const { t: tUi } = useTranslation('ui')
  if (value.length === 0) return <p className={styles.none}>{t('none_chosen')}</p>
  return (
    <ul className={styles.chosen} aria-label={t('chosen')}>
      {value.map(entry => (
        <li key={keyOf(entry)}>
          <EntryText entry={entry} />
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={tUi('remove', { name: entryName(entry, language) })}
            onClick={() => onRemove(entry)}
          >
            <IconX size={14} stroke={1.8} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}

interface MetricsProps extends Pick<EntriesFieldProps, 'value' | 'onChange'> {
  channel: EntryChannel
}

function Metrics({ channel, value, onChange }: MetricsProps) {
  const { t, language } = useTranslation('conversions')
  const { t: tEditor } = useTranslation('editor')
  const isOwn = (entry: ConversionEntry) => entry.channel === channel && 'metric' in entry
  const others = value.filter(entry => !isOwn(entry))
  return (
    <MultiSelectField
      label={t('metrics', { channel: channelNames[channel][language] })}
      placeholder={t('metrics_choose')}
      options={countsOf(channel, language).map(option => ({
        ...option,
        group: tEditor(`group.${option.group}`),
      }))}
      value={value.flatMap(entry => (entry.channel === channel && 'metric' in entry ? [entry.metric] : []))}
      limit={MOST_ENTRIES - others.length}
      onChange={metrics => onChange([...others, ...metrics.map(metric => ({ channel, metric }))])}
    />
  )
}

function ByName({ isFull, onAdd }: { isFull: boolean; onAdd: (action: string) => void }) {
  const { t } = useTranslation('conversions')
  const [name, setName] = useState('')
  const add = () => {
    if (name.trim() === '') return
    onAdd(name.trim())
    setName('')
  }
  return (
    <div className={styles.byName}>
      <TextField
        label={t('by_name')}
        hint={t('by_name_hint')}
        value={name}
        onChange={setName}
        maxLength={200}
        autoComplete="off"
        disabled={isFull}
      />
      <Button variant="default" onClick={add} disabled={isFull || name.trim() === ''}>
        {t('add')}
      </Button>
    </div>
  )
}
