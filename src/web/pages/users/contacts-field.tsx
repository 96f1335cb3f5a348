import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Contact } from '#shared/api/people.ts'
import type { Problem as Refused } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import styles from './users.module.css'

/** The index is the number that the API uses. */
export const contactTypes = ['other', 'mobile', 'email', 'facebook', 'line'] as const

type Contacts = readonly Contact[]
/** As the server has it. */
const MOST = 10

interface ContactsFieldProps {
  value: Contacts
  onChange: (value: Contact[]) => void
  /** Of the request that was refused: which of them do not fit their type. */
  problem: Refused | null
}

/** The ways to reach somebody, as many as they have. */
export function ContactsField({ value, onChange, problem }: ContactsFieldProps) {
  const { t } = useTranslation('users')
  const put = (index: number, contact: Contact) => onChange(value.with(index, contact))
  const errorAt = (index: number) => {
    const code = problem?.fields[`contacts.${index}.value`]?.[0]
    return code && <ProblemText code={code} />
  }
  return (
    <Input.Wrapper
      label={t('column.contact')}
      labelElement="div"
      error={problem?.fields.contacts?.[0] && <ProblemText code={problem.fields.contacts[0]} />}
    >
      <div className={styles.contacts}>
        {value.map((contact, index) => (
          // Two may be equal while they are typed: only their index identifies them.
          <div key={index} className={styles.contactRow}>
            <SelectField
              aria-label={t('contact.type', { number: index + 1 })}
              value={String(contact.type)}
              options={contactTypes.map((name, type) => ({
                value: String(type),
                label: t(`contact.${name}`),
              }))}
              onChange={type => put(index, { ...contact, type: Number(type) })}
            />
            <TextField
              label={null}
              aria-label={t('contact.value', { number: index + 1 })}
              value={contact.value}
              onChange={text => put(index, { ...contact, value: text })}
              maxLength={120}
              {...(contact.type === MOBILE && { placeholder: t('contact.mobile_example') })}
              error={errorAt(index)}
            />
            <ActionIcon
              aria-label={t('contact.remove', { number: index + 1 })}
              onClick={() => onChange(value.toSpliced(index, 1))}
            >
              <IconTrash size={16} stroke={1.6} />
            </ActionIcon>
          </div>
        ))}
        {value.length < MOST && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            onClick={() => onChange([...value, { type: MOBILE, value: '' }])}
          >
            {t('contact.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

const MOBILE = 1

/** Without those that were begun and left empty. */
export const filledIn = (contacts: Contacts) =>
  contacts.map(({ type, value }) => ({ type, value: value.trim() })).filter(({ value }) => value !== '')
