import { Button, Stack } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import type { User } from '#shared/api/people.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ContactsField, filledIn } from '#web/pages/users/contacts-field.tsx'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useSaveProfile } from './data.ts'

/** The fields that people may change themselves. */
export function ContactForm({ user }: { user: User }) {
  const { t } = useTranslation('profile')
  const { t: tUi } = useTranslation('ui')
  const [full_name, setFullName] = useState(user.full_name)
  const [position, setPosition] = useState(user.position ?? '')
  const [company_extension, setExtension] = useState(user.company_extension ?? '')
  const [contacts, setContacts] = useState(user.contacts ?? [])
  const save = useSaveProfile(() => showToast({ severity: 'success', message: t('saved') }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!full_name.trim()) return
    // What differs alone: values from before a rule stay until somebody changes them.
    save.mutate({
      ...(full_name.trim() !== user.full_name && { full_name: full_name.trim() }),
      ...(position !== (user.position ?? '') && { position }),
      ...(company_extension !== (user.company_extension ?? '') && { company_extension }),
      ...(JSON.stringify(contacts) !== JSON.stringify(user.contacts ?? []) && {
        contacts: filledIn(contacts),
      }),
    })
  }

  return (
    <Card title={t('contact')}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextField
            label={t('full_name')}
            value={full_name}
            onChange={setFullName}
            maxLength={80}
            required
            autoComplete="name"
            error={!full_name.trim() && t('full_name_required')}
          />
          <TextField label={t('position')} value={position} onChange={setPosition} maxLength={80} />
          <TextField
            label={t('extension')}
            value={company_extension}
            onChange={setExtension}
            maxLength={10}
            error={save.error?.fields.company_extension && t('extension_format')}
          />
          <ContactsField value={contacts} onChange={setContacts} problem={save.error} />
          {save.error && Object.keys(save.error.fields).length === 0 && <Problem code={save.error.code} />}
          <div>
            <Button type="submit" loading={save.isPending}>
              {tUi('save')}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  )
}
