import { Button, Combobox, Loader, useCombobox } from '@mantine/core'
import '@mantine/core/styles/ScrollArea.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Combobox.layer.css'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import type { RecentSpreadsheet } from '#shared/api/spreadsheets.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { useRecentSpreadsheets } from './data.ts'
import styles from './target.module.css'

interface SpreadsheetPickerProps {
  /** One is chosen already. */
  isChosen: boolean
  onChoose: (spreadsheet_url: string) => void
}

/** The person's spreadsheets, last used first; the list is requested when it is opened. */
export function SpreadsheetPicker({ isChosen, onChoose }: SpreadsheetPickerProps) {
  const { t } = useTranslation('target')
  const [search, setSearch] = useState('')
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.focusSearchInput(),
    onDropdownClose() {
      combobox.resetSelectedOption()
      combobox.focusTarget()
      setSearch('')
    },
  })

  function choose(url: string) {
    combobox.closeDropdown()
    onChoose(url)
  }

  return (
    <Combobox
      store={combobox}
      position="bottom-start"
      width="min(460px, calc(100vw - 32px))"
      onOptionSubmit={choose}
    >
      <Combobox.Target targetType="button">
        <Button
          variant={isChosen ? 'subtle' : 'default'}
          size={isChosen ? 'compact-sm' : 'sm'}
          rightSection={<IconChevronDown size={14} stroke={1.8} aria-hidden />}
          onClick={() => combobox.toggleDropdown()}
        >
          {t(isChosen ? 'recent.other' : 'recent.button')}
        </Button>
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={event => {
            setSearch(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
          placeholder={t('recent.search')}
          aria-label={t('recent.search')}
          maxLength={200}
        />
        {combobox.dropdownOpened && <Found search={search} />}
      </Combobox.Dropdown>
    </Combobox>
  )
}

/** Failed, loading, empty or full. */
function Found({ search }: { search: string }) {
  const { t } = useTranslation('target')
  const { data, error, isPlaceholderData, refetch } = useRecentSpreadsheets(search)
  if (error)
    return (
      <div className={styles.recentNote} role="alert">
        <ProblemText code={error.code} />
        <Button size="compact-sm" variant="light" onClick={() => void refetch()}>
          {t('recent.retry')}
        </Button>
      </div>
    )
  if (!data)
    return (
      <output className={styles.recentNote}>
        <Loader size={14} /> {t('recent.loading')}
      </output>
    )
  return (
    <Combobox.Options
      mah={320}
      className={styles.recent}
      aria-label={t('recent.list')}
      aria-busy={isPlaceholderData}
    >
      {data.results.length === 0 && (
        <Combobox.Empty>{t(search.trim() === '' ? 'recent.empty' : 'recent.none_found')}</Combobox.Empty>
      )}
      {data.results.map(file => (
        <Combobox.Option key={file.spreadsheet_url} value={file.spreadsheet_url}>
          <strong>{file.title}</strong>
          <small>
            <Facts file={file} />
          </small>
        </Combobox.Option>
      ))}
      {data.has_more && <Combobox.Empty>{t('recent.has_more')}</Combobox.Empty>}
    </Combobox.Options>
  )
}

function Facts({ file: { tabs, last_used_at, reports, report_count } }: { file: RecentSpreadsheet }) {
  const { t } = useTranslation('target')
  const [first] = reports
  return (
    <>
      {t('recent.used')} <RelativeTime at={last_used_at} />
      {tabs !== null && ` · ${t('recent.tabs', { count: tabs })}`}
      {first && ` · ${reportsText()}`}
    </>
  )

  function reportsText() {
    const names = reports.map(({ name }) => t('recent.name', { name })).join(t('recent.between'))
    const more = report_count - reports.length
    return more > 0 ? t('recent.more', { names, count: more }) : names
  }
}
