import { Button, Menu } from '@mantine/core'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'
import { IconCalendarCheck, IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { mayDo } from '#shared/access.ts'
import type { ExtendReports } from '#shared/api/bulk-operations.ts'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import styles from './bulk-changes.module.css'
import { useEnding, useExtend } from './data.ts'
import { EndingTable } from './ending-table.tsx'
import { OutcomeEnd } from './outcome-end.tsx'
import { OutcomeList } from './outcome-list.tsx'

export type Later = ExtendReports['by']

/**
 * Reports that end by themselves soon or have lately, and the ways to let them go on: for one, some or all.
 */
export function EndingReports() {
  const { t } = useTranslation('bulk_changes')
  const ending = useEnding()
  const extend = useExtend()
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const reports = ending.data ?? []
  const mine = reports.filter(({ access }) => mayDo(access, 'change'))
  const some = mine.filter(({ id }) => selected.has(id))

  const putOff = (selection: readonly Report[], by: Later) =>
    extend.mutate(
      { reports: selection.map(({ id, version }) => ({ id, version })), by },
      { onSuccess: () => setSelected(new Set()) },
    )

  const outcome = extend.data
  const refused = outcome?.results.filter(({ status }) => status === 'refused') ?? []
  return (
    <>
      {outcome && (
        <OutcomeEnd
          operation={outcome.deed}
          done={t('ending.done', { count: outcome.results.length - refused.length })}
          undone={count => t('ending.undone', { count })}
        />
      )}
      <OutcomeList title={t('cannot', { count: refused.length })} results={refused} />
      {extend.error && <Problem code={extend.error.code} />}
      <Card padding="flush">
        {ending.error ? (
          <Problem code={ending.error.code} onRetry={() => void ending.refetch()} />
        ) : !ending.data ? (
          <TableLoading rows={4} />
        ) : reports.length === 0 ? (
          <EmptyState icon={IconCalendarCheck} title={t('ending.empty')} detail={t('ending.empty_detail')} />
        ) : (
          <>
            {mine.length > 0 && (
              <Bar
                count={some.length || mine.length}
                all={some.length === 0}
                busy={extend.isPending}
                onLater={by => putOff(some.length > 0 ? some : mine, by)}
              />
            )}
            <EndingTable
              reports={reports}
              selected={selected}
              busy={extend.isPending}
              onSelect={setSelected}
              onLater={(report, by) => putOff([report], by)}
            />
          </>
        )}
      </Card>
    </>
  )
}

interface BarProps {
  count: number
  /** Nothing is selected: it is about all of them. */
  all: boolean
  busy: boolean
  onLater: (by: Later) => void
}

function Bar({ count, all, busy, onLater }: BarProps) {
  const { t } = useTranslation('bulk_changes')
  return (
    <div className={styles.bar} role="toolbar" aria-label={t('ending.bar')}>
      <output className={styles.count}>{t(all ? 'ending.all' : 'ending.some', { count })}</output>
      <Button size="xs" variant="default" disabled={busy} onClick={() => onLater({ months: 1 })}>
        {t('ending.month')}
      </Button>
      <Button size="xs" variant="default" disabled={busy} onClick={() => onLater({ months: 3 })}>
        {t('ending.quarter')}
      </Button>
      <MovingMenu label={t('ending.moving')} busy={busy} onLater={onLater} />
    </div>
  )
}

const dynamicRanges = [1, 2, 3, 4, 5] as const

/** To a range that moves with the days and never ends. */
function MovingMenu({
  label,
  busy,
  onLater,
}: {
  label: string
  busy: boolean
  onLater: (by: Later) => void
}) {
  const { t } = useTranslation('fields')
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          size="xs"
          variant="default"
          disabled={busy}
          rightSection={<IconChevronDown size={14} stroke={1.8} aria-hidden />}
        >
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {dynamicRanges.map(dynamic_range => (
          <Menu.Item key={dynamic_range} onClick={() => onLater({ dynamic_range })}>
            {t(`date_range.dynamic_${dynamic_range}`)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
