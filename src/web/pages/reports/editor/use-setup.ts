import { useMemo } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { overlapIn } from '#web/pages/reports/target/use-target-check.ts'
import { setupOf, type SetupLine } from './setup.ts'
import type { Editor } from './use-editor.ts'
import type { EditorLanding } from './use-landing.ts'

/** What is still to be done before the report can run. */
export function useSetup(editor: Editor, { targetCheck }: EditorLanding): readonly SetupLine[] {
  const { draft, current, errors } = editor
  const { state, landing } = targetCheck
  const overlaps = overlapIn(landing) !== null
  return useMemo(() => {
    const isSameTarget =
      current?.spreadsheet_url === draft.spreadsheet_url && current.sheet_name === draft.sheet_name
    return setupOf(draft, {
      wrong: errors.sections,
      target: state,
      overlaps,
      saved: isSameTarget ? current : null,
    })
  }, [draft, current, errors, state, overlaps])
}

/** A line in words: the gaps in those of the list of reports. */
export function useSetupText(): (line: SetupLine) => string {
  const { t } = useTranslation('editor')
  const { t: tReports } = useTranslation('reports')
  return ({ name, section, count }) => {
    if (name === 'wrong') return t('setup.wrong', { section: t(`section.${section}`), count })
    if (name === 'overlaps' || name === 'checking' || name === 'unchecked') return t(`setup.${name}`)
    return tReports(`gap.${name}`)
  }
}
