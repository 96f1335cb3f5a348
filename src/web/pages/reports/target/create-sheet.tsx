import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { FormDialog } from '#web/ui/form-dialog.tsx'
import { problemText, ProblemText } from '#web/ui/problem-text.tsx'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useAddSheet } from './data.ts'

interface CreateSheetProps {
  spreadsheet_url: string
  /** The default name of the tab. */
  suggestion: string
  onCreated: (sheet_name: string) => void
}

/** Creates a tab without leaving the page. */
export function CreateSheet({ spreadsheet_url, suggestion, onCreated }: CreateSheetProps) {
  const { t, language } = useTranslation('target')
  const [opened, setOpened] = useState(false)
  const [title, setTitle] = useState('')
  const [tried, setTried] = useState(false)
  const adding = useAddSheet(spreadsheet_url, tab => {
    setOpened(false)
    onCreated(tab.title)
  })
  const [refused] = adding.variables?.title === title.trim() ? (adding.error?.fields.title ?? []) : []
  const error = title.includes(':') ? 'sheet_name_colon' : refused

  function open() {
    adding.reset()
    setTitle(suggestion.replaceAll(':', ' ').slice(0, LONGEST))
    setTried(false)
    setOpened(true)
  }

  function submit() {
    setTried(true)
    if (title.trim() !== '' && !title.includes(':')) adding.mutate({ title: title.trim() })
  }

  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconPlus size={14} stroke={1.8} />}
        onClick={open}
      >
        {t('new_sheet.open')}
      </Button>
      <FormDialog
        opened={opened}
        title={t('new_sheet.title')}
        submit={t('new_sheet.submit')}
        loading={adding.isPending}
        problem={
          adding.error &&
          Object.keys(adding.error.fields).length === 0 && (
            <InlineAlert severity="error">
              <ProblemText code={adding.error.code} />
            </InlineAlert>
          )
        }
        onSubmit={submit}
        onClose={() => setOpened(false)}
      >
        <TextField
          label={t('new_sheet.name')}
          hint={t('new_sheet.hint')}
          value={title}
          onChange={setTitle}
          maxLength={LONGEST}
          focusedFirst
          required
          error={
            error
              ? problemText(error, 'external', language)
              : tried && title.trim() === '' && t('new_sheet.name_required')
          }
        />
      </FormDialog>
    </>
  )
}

const LONGEST = 100
