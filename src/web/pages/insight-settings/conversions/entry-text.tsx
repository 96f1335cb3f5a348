import type { ConversionEntry } from '#shared/api/insight-settings.ts'
import { useLanguage } from '#web/i18n/use-translation.ts'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import styles from './conversions.module.css'
import { entryName } from './entries.ts'

/** What counts in which channel; a metric with its id, by which people find it in reports. */
export function EntryText({ entry }: { entry: ConversionEntry }) {
  const language = useLanguage()
  return (
    <span className={styles.entry}>
      <ChannelIcon channel={entry.channel} size={15} />
      <span>
        {entryName(entry, language)} {'metric' in entry && <code>{entry.metric}</code>}
      </span>
    </span>
  )
}
