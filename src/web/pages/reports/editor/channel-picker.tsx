import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconPlus } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { catalogueOf } from '#shared/channels/all.ts'
import type { Channel } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import styles from './channel-picker.module.css'

interface ChannelPickerProps {
  /** Open from the start: there is nothing else to do yet. */
  initiallyOpened: boolean
  disabled: boolean
  onChoose: (channel: Channel) => void
}

/** Adds a channel: which ones there are, and what each is. */
export function ChannelPicker({ initiallyOpened, disabled, onChoose }: ChannelPickerProps) {
  const { t, language } = useTranslation('editor')
  const id = useId()
  const [opened, setOpened] = useState(initiallyOpened)
  const Chevron = opened ? IconChevronUp : IconChevronDown
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconPlus size={16} stroke={1.8} />}
        rightSection={<Chevron size={15} stroke={1.6} />}
        disabled={disabled}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        {t('block.add')}
      </Button>
      <ul id={id} className={styles.channels} aria-label={t('block.add')} hidden={!opened || disabled}>
        {channelIds.map(channel => {
          const { names, explanation } = catalogueOf(channel)
          return (
            <li key={channel}>
              <button
                type="button"
                className={styles.channel}
                aria-label={t('block.add_of', { channel: names[language] })}
                aria-describedby={`${id}-${channel}`}
                onClick={() => {
                  setOpened(false)
                  onChoose(channel)
                }}
              >
                <span aria-hidden>
                  <ChannelIcon channel={channel} />
                </span>
                <span className={styles.name}>{names[language]}</span>
                <small id={`${id}-${channel}`} className={styles.explanation}>
                  {explanation[language]}
                </small>
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
