import { Button } from '@mantine/core'
import { IconTablePlus } from '@tabler/icons-react'
import type { CreatedSpreadsheet } from '#shared/api/spreadsheets.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { useCreateSpreadsheet } from './data.ts'

interface CreateSpreadsheetProps {
  report_name: string
  /** Of the report: they say for which client the spreadsheet is. */
  accounts: readonly number[]
  onCreated: (created: CreatedSpreadsheet) => void
}

/** One click from no spreadsheet to one that the report can write to. */
export function CreateSpreadsheet({ report_name, accounts, onCreated }: CreateSpreadsheetProps) {
  const { t } = useTranslation('target')
  const failureText = useFailureText()
  const creating = useCreateSpreadsheet(onCreated)
  return (
    <>
      <Button
        variant="light"
        leftSection={<IconTablePlus size={16} stroke={1.7} aria-hidden />}
        loading={creating.isPending}
        onClick={() => creating.mutate({ report_name: report_name.trim(), accounts: [...accounts] })}
      >
        {t('create.button')}
      </Button>
      {creating.error && (
        <InlineAlert severity="error">
          {failureText(creating.error) ?? <ProblemText code={creating.error.code} />}
        </InlineAlert>
      )}
    </>
  )
}
