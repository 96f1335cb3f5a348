import { channelNames } from '#shared/channels/catalogue.ts'
import { channelIds } from '#shared/channels/ids.ts'
import { publisherTypes } from '#shared/materials/publishers.ts'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from '#web/pages/customers/customers.module.css'
import { fieldProblem } from '#web/pages/rows/field-problem.tsx'
import { ContactList } from '#web/ui/contact-list.tsx'
import { FilterField } from '#web/ui/filter-field.tsx'
import { SelectField } from '#web/ui/select-field.tsx'
import { TextAreaField } from '#web/ui/text-area-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { WebAddressField } from '#web/ui/web-address-field.tsx'
import type { PublisherDraft } from './publisher-draft.ts'

interface PublisherFieldsProps {
  draft: PublisherDraft
  onChange: (draft: PublisherDraft) => void
  /** Somebody has tried to send it: missing fields are marked. */
  tried: boolean
  problem: Problem | null
}

export function PublisherFields({ draft, onChange, tried, problem }: PublisherFieldsProps) {
  const { t, language } = useTranslation('publishers')
  const put = (change: Partial<PublisherDraft>) => onChange({ ...draft, ...change })
  return (
    <div className={styles.fields}>
      <TextField
        label={t('field.name')}
        value={draft.name}
        onChange={name => put({ name })}
        maxLength={120}
        autoComplete="off"
        required
        focusedFirst
        error={fieldProblem(problem, 'name', tried && draft.name.trim() === '')}
      />
      <div className={styles.pair}>
        <SelectField
          label={t('field.type')}
          options={publisherTypes.map(type => ({ value: type, label: t(`type.${type}`) }))}
          value={draft.type}
          onChange={type => put({ type })}
        />
        <FilterField
          label={t('field.channel')}
          any={t('no_channel')}
          options={channelIds.map(channel => ({ value: channel, label: channelNames[channel][language] }))}
          value={draft.channel ?? undefined}
          onChange={channel => put({ channel: channel ?? null })}
        />
      </div>
      <p className={styles.hint}>{t('hint.channel')}</p>
      <WebAddressField
        label={t('field.website')}
        tried={tried}
        value={draft.website}
        onChange={website => put({ website })}
        error={fieldProblem(problem, 'website')}
      />
      <ContactList
        label={t('field.contacts')}
        value={draft.contacts}
        onChange={contacts => put({ contacts })}
        errorOf={path => fieldProblem(problem, `contacts.${path}`)}
      />
      <TextAreaField
        label={t('field.note')}
        value={draft.note}
        onChange={note => put({ note })}
        rows={3}
        maxLength={4000}
        error={fieldProblem(problem, 'note')}
      />
    </div>
  )
}
