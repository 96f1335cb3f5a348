import { IconHistory } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { limits } from '#shared/limits.ts'
import { LinkButton } from '#web/app/links.tsx'
import { usePageTitle } from '#web/app/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { OpenSpreadsheet } from '../open-spreadsheet.tsx'
import { ExecutionPanel } from '../runs/execution-panel.tsx'
import { TargetFields } from '../target/target-fields.tsx'
import { AccountsCard, EstimateCard, SetupCard } from './aside.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DatesSection } from './dates-section.tsx'
import { DimensionsSection } from './dimensions-section.tsx'
import type { Draft } from './draft.ts'
import styles from './editor.module.css'
import { LeaveQuestion } from './leave-question.tsx'
import { SaveBar } from './save-bar.tsx'
import { ScheduleSection } from './schedule-section.tsx'
import { Section } from './section.tsx'
import { SectionNav } from './section-nav.tsx'
import { TableSection } from './table-section.tsx'
import { useDeeds } from './use-deeds.ts'
import { useEditor } from './use-editor.ts'

interface EditorPageProps {
  /** null: a new one. */
  report: Report | null
  initial: Draft
  folder: number | null
}

/** All that a report is, section by section; beside it what is known of it, below it saving and running. */
export function EditorPage(props: EditorPageProps) {
  const { t } = useTranslation('editor')
  const editor = useEditor(props)
  const deeds = useDeeds(editor)
  const { draft, base } = editor
  const name = draft.name.trim() || t('unnamed')
  const title = base === null ? t('new_title') : name
  usePageTitle(title, true)
  return (
    <div className={styles.page}>
      <PageHeader title={title} detail={<Origin report={base} />} actions={<Links report={base} />} />
      {!editor.may_change && (
        <div className={styles.notice}>
          <InlineAlert severity="info">{t('only_viewer')}</InlineAlert>
        </div>
      )}
      <div className={styles.columns}>
        <SectionNav editor={editor} />
        <div className={styles.sections}>
          <Section name="name">
            <TextField
              label={t('name')}
              value={draft.name}
              onChange={text => editor.change({ name: text })}
              error={editor.errorAt('name')}
              maxLength={limits.name}
              required
              disabled={!editor.may_change}
            />
          </Section>
          <ChannelsSection editor={editor} />
          <DimensionsSection editor={editor} />
          <TableSection editor={editor} />
          <DatesSection editor={editor} />
          <ScheduleSection editor={editor} />
          <Section name="spreadsheet">
            <TargetFields
              value={draft}
              onChange={editor.change}
              disabled={!editor.may_change}
              errors={{
                spreadsheet_url: editor.errorAt('spreadsheet_url'),
                sheet_name: editor.errorAt('sheet_name'),
                start_cell: editor.errorAt('start_cell'),
              }}
            />
          </Section>
        </div>
        <aside className={styles.aside} aria-label={t('facts')}>
          <div className={styles.run}>
            {deeds.execution !== undefined && (
              <ExecutionPanel id={deeds.execution} onClose={deeds.closeExecution} />
            )}
          </div>
          <div className={styles.facts}>
            <SetupCard editor={editor} />
            <EstimateCard editor={editor} />
            <AccountsCard editor={editor} />
          </div>
        </aside>
      </div>
      <SaveBar editor={editor} running={deeds.running} onSave={deeds.save} onRun={deeds.run} />
      <LeaveQuestion unsaved={editor.is_dirty && editor.may_change} />
      <ConflictDialog editor={editor} />
    </div>
  )
}

function Links({ report }: { report: Report | null }) {
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
      <OpenSpreadsheet url={report.spreadsheet_url} sheet_id={report.sheet_id} />
    </>
  )
}

/** Whose report it is, where it is not simply one's own. */
function Origin({ report }: { report: Report | null }) {
  const { t } = useTranslation('reports')
  if (report === null) return null
  const { access, owner_name, shared_by, copied_by_username } = report
  if (access === 'superuser') return t('owned_by', { name: owner_name })
  if (shared_by !== null) return t('shared_by', { name: shared_by })
  return copied_by_username !== null && t('copied_by', { name: copied_by_username })
}
