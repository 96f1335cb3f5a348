import { IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { ChannelIcon } from '#web/pages/reports/channel-icon.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { TextField } from '#web/ui/text-field.tsx'
import styles from './metrics.module.css'
import { paletteOf } from './operands.ts'

/** The metrics of each channel, to be put into the formula. */
export function Palette({ onChoose }: { onChoose: (metric: string) => void }) {
  const { t, language } = useTranslation('insight')
  const [search, setSearch] = useState('')
  const groups = paletteOf(search, language)
  const isSearching = search.trim() !== ''
  return (
    <div className={styles.palette}>
      <TextField
        label={t('palette.search')}
        value={search}
        onChange={setSearch}
        placeholder={t('palette.example')}
        autoComplete="off"
      />
      <div className={styles.groups} aria-live="polite">
        {groups.length === 0 && <p className={styles.nothing}>{t('palette.nothing')}</p>}
        {groups.map(({ channel, name, metrics }) => (
          // While one searches, what is found is open.
          <details key={`${channel} ${isSearching}`} open={isSearching}>
            <summary>
              <IconChevronRight size={15} stroke={1.8} aria-hidden />
              <ChannelIcon channel={channel} size={15} />
              {name}
              <span data-tabular>{metrics.length}</span>
            </summary>
            <ul>
              {metrics.map(metric => (
                <li key={metric.id}>
                  <button type="button" title={metric.explanation} onClick={() => onChoose(metric.id)}>
                    {metric.name} <code>{metric.id}</code>
                  </button>
                </li>
              ))}
            </ul>
          </details>
        ))}
      </div>
    </div>
  )
}
