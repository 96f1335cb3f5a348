import { IconHistory, IconVersions } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import {
  memo,
  startTransition,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useState,
  type ReactNode,
} from 'react'
import type { Report } from '#shared/api/reports.ts'
import { LinkButton } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { OpenSpreadsheet } from '#web/pages/reports/open-spreadsheet.tsx'
import { usePreview, usePreviewAhead, type PreviewState } from '#web/pages/reports/preview/data.ts'
import { PreviewDivider } from '#web/pages/reports/preview/preview-divider.tsx'
import { PreviewPane } from '#web/pages/reports/preview/preview-pane.tsx'
import { ExecutionPanel } from '#web/pages/reports/runs/execution-panel.tsx'
import { writtenSize } from '#web/pages/reports/runs/run-state.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { lazy } from '#web/visit/lazy.ts'
import { AccountsCard, SetupCard } from './aside.tsx'
import { BudgetCard } from './budget-card.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { InternalLinks } from './internal-links.tsx'
import { LeaveConfirmation } from './leave-confirmation.tsx'
import { RestoreNotice } from './restore-notice.tsx'
import { SaveBar } from './save-bar.tsx'
import { SectionNav } from './section-nav.tsx'
import { Sections } from './sections.tsx'
import type { SetupLine } from './setup.ts'
import { useActions } from './use-actions.ts'
import { useEditor, type Editor } from './use-editor.ts'
import { useLanding, type EditorLanding } from './use-landing.ts'
import { useSetup } from './use-setup.ts'
import { ViewTabs, type EditorView } from './view-tabs.tsx'

const ConflictDialog = lazy(async () => ({
  default: (await import('./conflict-dialog.tsx')).ConflictDialog,
}))

interface EditorPageProps {
  /** null: a new one. */
  report: Report | null
  initial: Draft
  folder: number | null
  /** Shown above everything, for example what an example could not fill in. */
  notice?: ReactNode
}

/** The whole report, section by section; beside it facts about it, below it saving and running. */
export function EditorPage(props: EditorPageProps) {
  const { t } = useTranslation('editor')
  const editor = useEditor(props)
  const later = useDeferredValue(editor)
  const [preview, setPreview] = useState<PreviewState['preview']>(null)
  usePreviewAhead(editor)
  const landing = useLanding(later, preview)
  const setup = useSetup(later, landing)
  // A new report that was run is drawn anew under its id, and its run is in the preview.
  const { execution } = useSearch({ from: '/shell/gs-template/template' })
  const [view, setView] = useState<EditorView>(execution === undefined ? 'settings' : 'preview')
  const actions = useActions(editor, { setup, onView: setView })
  const { draft, base } = editor
  const name = draft.name.trim() || t('unnamed')
  const title = base === null ? t('new_title') : name
  usePageTitle(title, true)
  return (
    <div className={styles.page}>
      <PageHeader title={title} detail={<Origin report={base} />} actions={<Links report={base} />} />
      {base && <InternalLinks report={base} />}
      <RestoreNotice editor={editor} />
      {props.notice && <div className={styles.notice}>{props.notice}</div>}
      <ViewTabs view={view} onChange={setView} />
      <div className={styles.columns} data-view={view}>
        <SectionNav setup={setup} />
        <Sections editor={editor} landing={landing} />
        <PreviewDivider />
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, by keys too */}
        <aside className={styles.aside} aria-label={t('facts')} tabIndex={0}>
          <div className={styles.run}>
            {actions.execution !== undefined && (
              <ExecutionPanel id={actions.execution} onClose={actions.closeExecution} />
            )}
          </div>
          <Preview draft={later.draft} base={later.base} change={later.change} onPreview={setPreview} />
          <Facts editor={later} landing={landing} setup={setup} onView={setView} />
        </aside>
      </div>
      <SaveBar editor={editor} actions={actions} setup={setup} onView={setView} />
      <LeaveConfirmation unsaved={editor.is_dirty} onLeave={editor.local.forget} />
      {editor.conflict.theirs !== null && (
        <Suspense>
          <ConflictDialog editor={editor} onKeep={actions.keep} />
        </Suspense>
      )}
    </div>
  )
}

interface PreviewProps extends Pick<Editor, 'draft' | 'base' | 'change'> {
  onPreview: (preview: PreviewState['preview']) => void
}

const Preview = memo(function Preview({ draft, base, change, onPreview }: PreviewProps) {
  const state = usePreview({ draft, base })
  const { preview } = state
  const onSort = useCallback((sort: Draft['sort']) => change({ sort }), [change])
  // What follows from the rows elsewhere on the page is drawn after them.
  useEffect(() => startTransition(() => onPreview(preview)), [preview, onPreview])
  return <PreviewPane state={state} draft={draft} onSort={onSort} />
})

interface FactsProps {
  editor: Editor
  landing: EditorLanding
  setup: readonly SetupLine[]
  onView: (view: EditorView) => void
}

/** Facts about the report; they follow the draft with a delay. */
const Facts = memo(function Facts({ editor, landing, setup, onView }: FactsProps) {
  const { size, from, budget } = landing
  return (
    <div className={styles.facts}>
      <SetupCard setup={setup} onView={onView} />
      <BudgetCard size={size} from={from} budget={budget} written={writtenSize(editor)} />
      <AccountsCard editor={editor} />
    </div>
  )
})

const Links = memo(function Links({ report }: { report: Report | null }) {
  const { t } = useTranslation('reports')
  if (report === null) return null
  return (
    <>
      <LinkButton
        to="/gs-template/history"
        search={{ id: report.id }}
        variant="default"
        leftSection={<IconHistory size={16} stroke={1.6} />}
      >
        {t('action.history')}
      </LinkButton>
      <LinkButton
        to="/gs-template/versions"
        search={{ id: report.id }}
        variant="default"
        leftSection={<IconVersions size={16} stroke={1.6} />}
      >
        {t('action.versions')}
      </LinkButton>
      <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} />
    </>
  )
})

/** The owner, unless it is one's own. */
function Origin({ report }: { report: Report | null }) {
  const { t } = useTranslation('reports')
  if (report === null) return null
  const { access, owner_name, shared_by, copied_by_username } = report
  if (access === 'superuser') return t('owned_by', { name: owner_name })
  if (shared_by !== null) return t('shared_by', { name: shared_by })
  return copied_by_username !== null && t('copied_by', { name: copied_by_username })
}
