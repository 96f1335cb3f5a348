import { Button, Stack } from '@mantine/core'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'

interface OtherPersonProps {
  problem: Problem
  onAnswer: (isMeant: boolean) => void
}

/** Somebody else has agreed than before. */
export function OtherPerson({ problem, onAnswer }: OtherPersonProps) {
  const { t } = useTranslation('connections')
  const person = Object(problem.body['person'])
  const nameIn = (text: unknown) => (typeof text === 'string' ? text : t('callback.unknown_person'))
  const name = nameIn(person.now)
  return (
    <EntryPage
      title={t('callback.other_title')}
      detail={t('callback.other', { before: nameIn(person.before), now: name })}
    >
      <Stack>
        <Button onClick={() => onAnswer(true)}>{t('callback.other_use', { name })}</Button>
        <Button variant="default" onClick={() => onAnswer(false)}>
          {t('callback.other_undo')}
        </Button>
      </Stack>
    </EntryPage>
  )
}
