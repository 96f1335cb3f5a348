import { ActionIcon, Loader } from '@mantine/core'
import { IconRefresh, IconTablePlus } from '@tabler/icons-react'
import type { Preview } from '#shared/api/preview.ts'
import { parseStartCell } from '#shared/cell.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { useIsInternal } from '#web/client/me.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
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

interface PreviewPaneProps {
  state: PreviewState
  start_cell: string
}

/** The first rows of the table while the report is being edited. */
export function PreviewPane({ state, start_cell }: PreviewPaneProps) {
  const { t } = useTranslation('preview')
  const { missing, preview, problem, is_behind, refresh } = state
  return (
    <Card
      title={t('title')}
      actions={
        <ActionIcon
          variant="subtle"
          aria-label={t('refresh')}
          title={t('refresh')}
          disabled={missing.length > 0 || is_behind}
          onClick={refresh}
        >
          <IconRefresh size={16} stroke={1.7} aria-hidden />
        </ActionIcon>
      }
    >
      <div className={styles.pane}>
        <Status state={state} />
        {missing.length > 0 ? (
          <StillMissing missing={missing} />
        ) : problem && !preview ? (
          <Refused problem={problem} />
        ) : preview ? (
          <div className={styles.body} data-stale={is_behind || problem !== null || undefined}>
            {problem && <Refused problem={problem} />}
            <PreviewContent preview={preview} start_cell={start_cell} />
          </div>
        ) : (
          <TableLoading rows={7} />
        )}
      </div>
    </Card>
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

function sizeOf({ rows, has_more, estimate }: Preview, t: Words): string {
  if (!has_more) return t('all_rows', { count: rows.length })
  if (estimate === null) return t('first_rows', { count: rows.length })
  return t(estimate.kind === 'exact' ? 'first_of' : 'first_of_about', {
    shown: rows.length,
    rows: estimate.rows,
  })
}

function PreviewContent({ preview, start_cell }: { preview: Preview; start_cell: string }) {
  const { t } = useTranslation('preview')
  const internal = useIsInternal()
  const cell = parseStartCell(start_cell)
  const { row, column } = typeof cell === 'string' ? { row: 0, column: 0 } : cell
  const { blocks, code, rows, columns, detail } = preview
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
      {columns.length > 0 && <PreviewTable table={preview} row={row} column={column} />}
      {columns.length > 0 && rows.length === 0 && code === null && (
        <p className={styles.quiet}>{t('no_rows')}</p>
      )}
    </>
  )
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
