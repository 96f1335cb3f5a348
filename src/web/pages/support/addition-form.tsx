import { Button, Group, Stack } from '@mantine/core'
import { useState } from 'react'
import type { Issue } from '#shared/api/support.ts'
import { useFailureText } from '#web/client/failure-text.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Problem } from '#web/ui/problem.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { useAdd } from './data.ts'

/** What the reporter adds to an issue; an answered or closed one is open again. */
export function AdditionForm({ issue }: { issue: Issue }) {
  const { t } = useTranslation('support')
  const add = useAdd(issue.id)
  const failureText = useFailureText()
  const [text, setText] = useState('')
  const isDone = issue.status === 'answered' || issue.status === 'closed'
  const submit = () =>
    add.mutate(
      { text: text.trim() },
      {
        onSuccess: () => {
          setText('')
          showToast({ severity: 'success', message: t('add.done') })
        },
      },
    )
  return (
    <form
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (text.trim() !== '' && !add.isPending) submit()
      }}
    >
      <Stack gap="xs">
        <TextAreaField
          label={t('add.label')}
          hint={isDone ? t('add.hint_done') : t('add.hint')}
          value={text}
          onChange={setText}
          rows={3}
          maxLength={5000}
          error={add.error && (failureText(add.error) ?? undefined)}
        />
        {add.error && failureText(add.error) === null && <Problem code={add.error.code} />}
        <Group justify="flex-end">
          <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
            {t('add.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
