import type { ReactNode } from 'react'
import type { Instructions } from '#shared/api/instructions.ts'
import type { Language, Text } from '#shared/language.ts'
import { useMe } from '#web/client/me.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { CheckAccount } from './check-account.tsx'
import styles from './instructions.module.css'
import type { CopiedValue, Section } from './section.ts'
import { sayIn } from './texts.ts'

interface SectionCardProps {
  section: Section
  known: Instructions
  language: Language
}

/** One platform. What only the agency needs is not printed: the paper is for the client. */
export function SectionCard({ section, known, language }: SectionCardProps) {
  const say = sayIn(language)
  const lines = (texts: readonly Text[]) => texts.map(each => <li key={each.en}>{each[language]}</li>)
  const [channel] = section.channels
  return (
    <section id={section.id} className={styles.section} aria-labelledby={`${section.id}-title`}>
      <h2 id={`${section.id}-title`}>{section.title[language]}</h2>
      <Part title={say('who')}>
        <p>{section.who[language]}</p>
      </Part>
      <Part title={say('steps')}>
        <ol>{lines(section.steps)}</ol>
      </Part>
      <Part title={say('values')}>
        <Values values={section.values} known={known} language={language} />
      </Part>
      <Part title={say('send_back')}>
        <p>{section.send_back[language]}</p>
      </Part>
      <Part title={say('hints')}>
        <ul>{lines(section.hints)}</ul>
      </Part>
      {channel !== undefined && (
        <div className={styles.agency}>
          <Part title={say('agency')}>
            <ul>
              {lines(section.agency)}
              <li>{say('agency_import')}</li>
            </ul>
            <Values values={section.agency_values} known={known} language={language} />
          </Part>
          <CheckAccount channel={channel} language={language} />
        </div>
      )}
    </section>
  )
}

function Part({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{title}</h3>
      <div>{children}</div>
    </div>
  )
}

interface ValuesProps extends Omit<ValueProps, 'value'> {
  values: readonly CopiedValue[]
}

function Values({ values, ...shared }: ValuesProps) {
  if (values.length === 0) return null
  return (
    <dl className={styles.values}>
      {values.map(value => (
        <Value key={value.label.en} value={value} {...shared} />
      ))}
    </dl>
  )
}

interface ValueProps {
  value: CopiedValue
  known: Instructions
  language: Language
}

/** A value with its button, or who sets it: nothing is invented. */
function Value({ value, known, language }: ValueProps) {
  const say = sayIn(language)
  const me = useMe()
  const texts = textsOf(value, known)
  const missing = me.identity === 'superuser' ? 'not_set_superuser' : 'not_set'
  return (
    <div data-missing={texts.length === 0 || undefined}>
      <dt>{value.label[language]}</dt>
      <dd>
        {texts.length === 0 && <span className={styles.missing}>{say(missing)}</span>}
        {texts.map(text => (
          <div key={text} className={styles.value}>
            <code>{text}</code>
            <CopyButton text={text} />
          </div>
        ))}
      </dd>
    </div>
  )
}

function textsOf(value: CopiedValue, known: Instructions): string[] {
  const { system_users, addresses, scopes, values, callback_url } = known
  if ('constant' in value) return [value.constant]
  if ('field' in value) return [values[value.field] ?? []].flat()
  return {
    system_users,
    google_ads_addresses: addresses.google_ads,
    ga4_addresses: addresses.ga4,
    google_ads_scope: [scopes.google_ads],
    ga4_scope: [scopes.ga4],
    callback_url: [callback_url],
  }[value.of]
}
