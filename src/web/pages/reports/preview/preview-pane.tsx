import { ActionIcon, Loader } from '@mantine/core'
import { IconMaximize, IconRefresh, IconTablePlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Preview } from '#shared/api/preview.ts'
import { parseStartCell } from '#shared/cell.ts'
import { isErrorCode } from '#shared/errors.ts'
import { columnSorts, sortedColumnOf } from '#shared/table-sort.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { useIsInternal } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import type { Draft } from '#web/pages/reports/editor/draft.ts'
import { Card } from '#web/ui/card.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import type { PreviewState } from './data.ts'
import { Freshness } from './freshness.tsx'
import { PreviewBlocks } from './preview-blocks.tsx'
import { PreviewTable } from './preview-table.tsx'
import styles from './preview.module.css'
import type { Missing } from './request.ts'
import type { RowOrder } from './row-order.ts'

interface PreviewPaneProps {
  state: PreviewState
  draft: Pick<
    Draft,
    'start_cell' | 'sort' | 'limit' | 'dimensions' | 'channels' | 'arrangement' | 'comparison' | 'blends'
  >
  onSort: (sort: NonNullable<Draft['sort']>) => void
}

/** The first rows of the table while the report is being edited. */
export function PreviewPane(props: PreviewPaneProps) {
  const { t } = useTranslation('preview')
  const [isEnlarged, setEnlarged] = useState(false)
  const { missing, is_behind, refresh } = props.state
  return (
    <Card
      title={t('title')}
      actions={
        <div className={styles.actions}>
          <ActionIcon
            variant="subtle"
            aria-label={t('enlarge')}
            title={t('enlarge')}
            disabled={missing.length > 0}
            onClick={() => setEnlarged(true)}
          >
            <IconMaximize size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            aria-label={t('refresh')}
            title={t('refresh')}
            disabled={missing.length > 0 || is_behind}
            onClick={refresh}
          >
            <IconRefresh size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        </div>
      }
    >
      <div className={styles.pane}>
        <PaneContent {...props} />
      </div>
      <Dialog opened={isEnlarged} fullScreen title={t('title')} onClose={() => setEnlarged(false)}>
        <div className={styles.enlarged}>
          <PaneContent {...props} />
        </div>
      </Dialog>
    </Card>
  )
}

function PaneContent(props: PreviewPaneProps) {
  const { missing, preview, problem, is_behind } = props.state
  return (
    <>
      <Status state={props.state} />
      {missing.length > 0 ? (
        <StillMissing missing={missing} />
      ) : problem && !preview ? (
        <Refused problem={problem} />
      ) : preview ? (
        <div className={styles.body} data-stale={is_behind || problem !== null || undefined}>
          {problem && <Refused problem={problem} />}
          <PreviewContent preview={preview} {...props} />
        </div>
      ) : (
        <TableLoading rows={7} />
      )}
    </>
  )
}

/** One line that says how far the rows can be relied on, also for those who do not see them grow pale. */
function Status({ state: { missing, preview, problem, is_behind } }: { state: PreviewState }) {
  const { t } = useTranslation('preview')
  return (
    <output className={styles.status}>
      {missing.length > 0 || problem ? null : is_behind ? (
        <>
          <Loader size={12} /> {t(preview ? 'updating' : 'asking')}
        </>
      ) : (
        preview && (
          <>
            {preview.from_run ? <FromRun at={preview.as_of} /> : <Freshness at={preview.as_of} />}
            {preview.rows.length > 0 && <span data-tabular> · {sizeOf(preview, t)}</span>}
          </>
        )
      )}
    </output>
  )
}

/** Some of its channels take longer than a preview waits: then the last run's rows are better than none. */
function FromRun({ at }: { at: string }) {
  const { t } = useTranslation('preview')
  return (
    <>
      {t('from_run')} <RelativeTime at={at} />
    </>
  )
}

type Words = ReturnType<typeof useTranslation<'preview'>>['t']

function sizeOf({ rows, has_more, estimate, rows_before_limit }: Preview, t: Words): string {
  if (rows_before_limit !== null && estimate)
    return t('limited', { limit: estimate.rows, rows: rows_before_limit })
  if (!has_more) return t('all_rows', { count: rows.length })
  if (estimate === null) return t('first_rows', { count: rows.length })
  return t(estimate.kind === 'exact' ? 'first_of' : 'first_of_about', {
    shown: rows.length,
    rows: estimate.rows,
  })
}

function PreviewContent({ preview, state, draft, onSort }: PreviewPaneProps & { preview: Preview }) {
  const { t } = useTranslation('preview')
  const internal = useIsInternal()
  const cell = parseStartCell(draft.start_cell)
  const { row, column } = typeof cell === 'string' ? { row: 0, column: 0 } : cell
  const { blocks, code, rows, columns, detail } = preview
  const facts = useTableFacts({ preview, state, draft, onSort })
  return (
    <>
      <PreviewBlocks blocks={blocks} from_run={preview.from_run} />
      {code !== null && (
        <InlineAlert severity="warning">
          {detail.reason === 'range_in_future' ? (
            t('range_in_future')
          ) : code === 'too_large' ? (
            t('too_many')
          ) : isErrorCode(code) ? (
            <ProblemText code={code} audience={internal ? 'internal' : 'external'} />
          ) : null}
        </InlineAlert>
      )}
      {columns.length > 0 && <PreviewTable table={preview} row={row} column={column} {...facts} />}
      {columns.length > 0 && rows.length === 0 && code === null && (
        <p className={styles.quiet}>{t('no_rows')}</p>
      )}
    </>
  )
}

/** The same objects while nothing that they follow from changes: typing elsewhere draws no row anew. */
function useTableFacts({ preview, state, draft, onSort }: PreviewPaneProps & { preview: Preview }) {
  const { t } = useTranslation('preview')
  const { sort, dimensions, channels, arrangement, comparison, blends } = draft
  const totals = useMemo(() => totalsOf(preview, t), [preview, t])
  const sorted = useMemo(() => {
    const column = sortedColumnOf({ sort, dimensions, channels, arrangement, comparison, blends })
    return column < 0 ? null : { column, descending: sort?.descending ?? false }
  }, [sort, dimensions, channels, arrangement, comparison, blends])
  const keeping = useMemo(() => {
    if (state.is_behind) return undefined
    const columns = columnSorts({ dimensions, channels, arrangement, comparison, blends })
    return {
      can: (column: number) => Boolean(columns[column]),
      keep({ column, descending }: RowOrder) {
        const chosen = columns[column]
        if (chosen) onSort({ ...chosen, descending })
      },
    }
  }, [onSort, state.is_behind, dimensions, channels, arrangement, comparison, blends])
  return { totals, sorted, ...(keeping && { keeping }) }
}

/** null: there is nothing to add up, or the table is a total itself. */
function totalsOf({ totals, columns, rows, estimate, rows_before_limit, asked, range }: Preview, t: Words) {
  const [first] = columns
  const isTotal = first?.format.kind === 'number' || first?.format.kind === 'percent'
  if (totals === null || rows.length === 0 || isTotal || totals.every(cell => cell === '')) return null
  const isAll = asked?.end === range?.end
  const isCut = rows_before_limit !== null && estimate !== null
  const label = isCut ? t('total_limited', { count: estimate.rows }) : t('total')
  return { cells: totals, label: isAll ? label : t('total_so_far', { day: asked?.end ?? '' }) }
}

function StillMissing({ missing }: { missing: readonly Missing[] }) {
  const { t } = useTranslation('preview')
  return (
    <EmptyState
      icon={IconTablePlus}
      title={t('empty.title')}
      detail={
        <span className={styles.missing}>
          {missing.map(what => (
            <a key={what} href={what === 'dates' ? '#dates' : '#channels'}>
              {t(`empty.${what}`)}
            </a>
          ))}
        </span>
      }
    />
  )
}

/** A refusal by the server is also marked at its field once the report is saved. */
function Refused({ problem }: { problem: Problem }) {
  const { t } = useTranslation('preview')
  const internal = useIsInternal()
  const failureText = useFailureText()
  const [code] = Object.values(problem.fields).flat()
  return (
    <InlineAlert severity={code ? 'warning' : 'error'} title={t(code ? 'refused' : 'failed')}>
      {failureText(problem) ?? (
        <ProblemText code={code ?? problem.code} audience={internal ? 'internal' : 'external'} />
      )}
    </InlineAlert>
  )
}
