import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Tab } from '#shared/api/spreadsheets.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useAddSheet, useTabs, type Target } from './data.ts'
import type { Suggestion } from './suggestion.ts'
import styles from './target.module.css'

interface TabSuggestionProps {
  spreadsheet_url: string
  offered: Suggestion | null
  /** The name of a tab to create. */
  report_name: string
  onChange: (change: Partial<Target>) => void
}

/** Where to write, while no tab is chosen: one click each. */
export function TabSuggestion({ spreadsheet_url, offered, report_name, onChange }: TabSuggestionProps) {
  const { t } = useTranslation('target')
  const { data: tabs } = useTabs(spreadsheet_url, true)
  const title = newTitle(report_name.trim() || t('suggestion.default_name'), tabs ?? [])
  const adding = useAddSheet(spreadsheet_url, tab => onChange({ sheet_name: tab.title, start_cell: 'A1' }))
  return (
    <>
      <div className={styles.buttons}>
        {offered && (
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => onChange({ sheet_name: offered.sheet_name, start_cell: offered.start_cell })}
          >
            {t(offered.isEmpty ? 'suggestion.use' : 'suggestion.use_beside', {
              name: offered.sheet_name,
              cell: offered.start_cell,
            })}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} stroke={1.8} aria-hidden />}
          loading={adding.isPending}
          onClick={() => adding.mutate({ title })}
        >
          {t('suggestion.create', { name: title })}
        </Button>
      </div>
      {adding.error && (
        <InlineAlert severity="error">
          <ProblemText code={adding.error.code} />
        </InlineAlert>
      )}
    </>
  )
}

/** The service ignores case in titles, and a colon in one prevents writing. */
function newTitle(name: string, tabs: readonly Tab[]): string {
  const taken = new Set(tabs.map(({ title }) => title.toLowerCase()))
  const base = name.replaceAll(':', ' ').slice(0, LONGEST)
  const titles = [base, ...tabs.map((_, index) => `${base} ${index + 2}`)]
  return titles.find(title => !taken.has(title.toLowerCase())) ?? base
}

/** With room for a number: the service accepts 100. */
const LONGEST = 90
