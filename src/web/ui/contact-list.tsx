import { ActionIcon, Button, Input } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { CustomerContact } from '#shared/api/customers.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { CheckboxField } from './checkbox-field.tsx'
import styles from './contact-list.module.css'
import { TextField } from './text-field.tsx'

const MOST = 20
const EMPTY: CustomerContact = { name: '', title: '', phone: '', email: '', is_billing: false }
const texts = [
  { field: 'name', most: 120 },
  { field: 'title', most: 80 },
  { field: 'phone', most: 40 },
  { field: 'email', most: 254 },
] as const

interface ContactListProps {
  label: string
  value: readonly CustomerContact[]
  onChange: (value: CustomerContact[]) => void
  /** What is wrong with a field, such as `0.email`. */
  errorOf?: (path: string) => ReactNode
  disabled?: boolean
}

/** The people at a company, as many as there are. */
export function ContactList({ label, value, onChange, errorOf, disabled = false }: ContactListProps) {
  const { t } = useTranslation('money')
  const put = (index: number, change: Partial<CustomerContact>) =>
    onChange(value.map((contact, at) => (at === index ? { ...contact, ...change } : contact)))
  return (
    <Input.Wrapper labelElement="div" label={label}>
      <div className={styles.contacts}>
        {value.map((contact, index) => (
          // Two may be equal while they are typed: only their index identifies them.
          <div
            key={index}
            role="group"
            aria-label={t('contact.nth', { number: index + 1 })}
            className={styles.contact}
          >
            {texts.map(({ field, most }) => (
              <TextField
                key={field}
                label={t(`contact.${field}`)}
                value={contact[field]}
                onChange={text => put(index, { [field]: text })}
                maxLength={most}
                autoComplete="off"
                required={field === 'name'}
                error={errorOf?.(`${index}.${field}`)}
                disabled={disabled}
              />
            ))}
            <div className={styles.foot}>
              <CheckboxField
                label={t('contact.is_billing')}
                checked={contact.is_billing}
                onChange={checked => put(index, { is_billing: checked })}
                disabled={disabled}
              />
              {!disabled && (
                <ActionIcon
                  aria-label={t('contact.remove', { number: index + 1 })}
                  onClick={() => onChange(value.toSpliced(index, 1))}
                >
                  <IconTrash size={16} stroke={1.6} />
                </ActionIcon>
              )}
            </div>
          </div>
        ))}
        {!disabled && value.length < MOST && (
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={14} stroke={1.8} />}
            // Documents go to the first person unless another is named.
            onClick={() => onChange([...value, { ...EMPTY, is_billing: value.length === 0 }])}
          >
            {t('contact.add')}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  )
}

/** As they are sent: without those that were begun and left empty. */
export const filledIn = (contacts: readonly CustomerContact[]): CustomerContact[] =>
  contacts
    .map(contact => ({
      ...contact,
      name: contact.name.trim(),
      title: contact.title.trim(),
      phone: contact.phone.trim(),
      email: contact.email.trim(),
    }))
    .filter(contact => texts.some(({ field }) => contact[field] !== ''))
