import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Issue } from '#shared/api/support.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from '#web/ui/checkbox-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useUpdate } from './data.ts'
import { stateNames } from './search.ts'

/** A support editor's answer to an issue, and the grant of a longer range. */
export function AnswerForm({ issue, onDone }: { issue: Issue; onDone: () => void }) {
  const { t } = useTranslation('support')
  const update = useUpdate(issue.id)
  const [text, setText] = useState(issue.answer ?? '')
  /** null: the status that follows from the answer. */
  const [chosen, setChosen] = useState<Issue['status'] | null>(null)
  const [grant, setGrant] = useState(issue.grants_history)
  const answer = text.trim()
  const hasAnswer = answer !== '' && answer !== issue.answer
  const grants = grant && !issue.grants_history
  const status = chosen ?? (hasAnswer || grants ? 'answered' : issue.status)
  const isChanged = hasAnswer || grants || status !== issue.status

  const submit = () =>
    update.mutate(
      { status, ...(hasAnswer && { answer }), ...(grants && { grant_history: true }) },
      {
        onSuccess: () => {
          showToast({ severity: 'success', message: t('saved', { id: issue.id }) })
          onDone()
        },
      },
    )
  const granting = update.error?.fields.grant_history?.[0]
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (isChanged && !update.isPending) submit()
      }}
    >
      <Stack gap="md">
        <TextAreaField label={t('answer')} value={text} onChange={setText} maxLength={5000} />
        {(issue.report || issue.grants_history) && (
          <CheckboxField
            label={t('grant')}
            hint={issue.report && t('grant_hint', { name: issue.report.name })}
            checked={grant}
            disabled={issue.grants_history}
            onChange={setGrant}
          />
        )}
        <SelectField
          label={t('column.state')}
          value={status}
          options={stateNames.map(name => ({ value: name, label: t(`state.${name}`) }))}
          onChange={setChosen}
        />
        {update.error && (granting ? <ProblemText code={granting} /> : <Problem code={update.error.code} />)}
        <Group justify="flex-end">
          <Button type="submit" loading={update.isPending} disabled={!isChanged}>
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
