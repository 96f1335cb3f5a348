import { IconBan } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { AccountAdvertiser } from '#shared/api/ad-accounts.ts'
import { accountChannelOf } from '#shared/channels/all.ts'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { listText } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { examples, type ExampleName } from '#web/pages/reports/editor/examples.ts'
import { scheduleText } from '#web/pages/reports/schedule-text.ts'
import styles from './new-report.module.css'

interface ExampleCardProps {
  name: ExampleName
  /** null: there are no clients, and the editor uses what accounts there are. */
  client: AccountAdvertiser | null
  folder: number | undefined
  /** There are clients, and none is chosen yet. */
  isWaiting: boolean
}

/** An example with what it will be for this client: its channels, its schedule, and what is left out. */
export function ExampleCard({ name, client, folder, isWaiting }: ExampleCardProps) {
  const { t, language } = useTranslation('start')
  const { t: tReports } = useTranslation('reports')
  const { channels, schedule } = examples[name]
  const has = (channel: Channel) =>
    client === null || client.channels.some(own => own.channel === accountChannelOf(channel))
  const available = channels.filter(has)
  const missing = name === 'everything' ? [] : channels.filter(channel => !has(channel))
  const isEmpty = available.length === 0
  const search = {
    ...(folder !== undefined && { folder }),
    ...(client && { advertiser: client.id }),
    ...(name !== 'everything' && { example: name }),
  }
  const cadence = scheduleText(tReports, { ...unscheduled, ...schedule }, language)
  const content = (
    <>
      <span className={styles.icons}>
        {(isEmpty ? channels : available).map(channel => (
          <ChannelIcon key={channel} channel={channel} size={16} />
        ))}
      </span>
      <strong>
        {name === 'everything' && client
          ? t('everything', { client: client.name })
          : tReports(`empty.example_${name}`)}
      </strong>
      <small>{tReports(`empty.example_${name}_detail`)}</small>
      <small>{cadence}</small>
      {client && missing.length > 0 && (
        <small className={styles.missing}>
          <IconBan size={13} stroke={1.8} aria-hidden />
          {isEmpty
            ? t('no_accounts', { client: client.name })
            : t('left_out', {
                channels: listText(
                  missing.map(one => channelNames[one][language]),
                  language,
                ),
              })}
        </small>
      )}
    </>
  )
  if (isWaiting || isEmpty)
    return (
      <button type="button" className={styles.card} disabled>
        {content}
      </button>
    )
  return (
    <Link to="/gs-template/template" search={search} className={styles.card}>
      {content}
    </Link>
  )
}

const unscheduled = {
  update_frequency: 0,
  update_time: '09:00:00',
  update_day_of_week: null,
  update_day_of_month: null,
}
