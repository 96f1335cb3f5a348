import { Button } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportResult } from '#shared/api/bulk-operations.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { OutcomeList } from './outcome-list.tsx'
import { useUndo } from './data.ts'

interface OutcomeEndProps {
  /** null: nothing was done. */
  /** Its id; null: nothing was changed. */
  operation: string | null
  /** What was done, in one sentence. */
  done: string
  undone: (count: number) => string
}

/** What was done, and a button to undo it. */
export function OutcomeEnd({ operation, done, undone }: OutcomeEndProps) {
  return (
    <div aria-live="polite">
      {operation === null ? (
        <InlineAlert severity="info">{done}</InlineAlert>
      ) : (
        // Another operation begins with nothing undone.
        <Undoable key={operation} operation={operation} done={done} undone={undone} />
      )}
    </div>
  )
}

function Undoable({ operation, done, undone }: OutcomeEndProps & { operation: string }) {
  const { t } = useTranslation('bulk_changes')
  const [results, setResults] = useState<readonly ReportResult[] | null>(null)
  const undo = useUndo(operation, outcome => setResults(outcome.results))
  if (results !== null) {
    const refused = results.filter(({ status }) => status === 'refused')
    return (
      <>
        <InlineAlert severity={refused.length > 0 ? 'warning' : 'info'}>
          {undone(results.length - refused.length)}
        </InlineAlert>
        <OutcomeList title={t('undo_kept', { count: refused.length })} results={refused} />
      </>
    )
  }
  return (
    <>
      <InlineAlert
        severity="success"
        action={
          <Button
            size="xs"
            variant="default"
            leftSection={<IconArrowBackUp size={14} stroke={1.8} />}
            loading={undo.isPending}
            onClick={() => undo.mutate()}
          >
            {t('undo')}
          </Button>
        }
      >
        {done}
      </InlineAlert>
      {undo.error && (
        <InlineAlert severity="error">
          <ProblemText code={undo.error.code} />
        </InlineAlert>
      )}
    </>
  )
}
