import type { Advertiser } from '#shared/api/advertisers.ts'
import { languageNames, listText } from '#shared/language.ts'
import { nameOf } from '#shared/person-name.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { LinkText } from '#web/client/links.tsx'
import { usePeople } from '#web/pages/customers/people.ts'
import { Card } from '#web/ui/card.tsx'
import { formatMoney } from '#web/ui/money.ts'
import { formatRate } from '#web/ui/rate.ts'
import { termsText } from '#web/ui/terms-input.tsx'
import styles from './advertiser.module.css'
import { SpendMonthsCard } from './spend-months-card.tsx'

/** What an account manager wants to know before a call. */
export function OverviewTab({ advertiser }: { advertiser: Advertiser }) {
  return (
    <div className={styles.columns}>
      <div className={styles.stack}>
        <SpendMonthsCard advertiser={advertiser} />
        <MoneyCard advertiser={advertiser} />
        {advertiser.note !== '' && <NoteCard note={advertiser.note} />}
      </div>
      <div className={styles.stack}>
        <FactsCard advertiser={advertiser} />
        <ContactsCard advertiser={advertiser} />
      </div>
    </div>
  )
}

/** What is open and what is late. */
function MoneyCard({ advertiser: { id, open_orders, overdue } }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  return (
    <Card title={t('overview.money')}>
      <dl className={styles.facts}>
        <dt>{t('overview.open_orders')}</dt>
        <dd data-tabular>
          <LinkText to="/customer/advertiser/$id" params={{ id: String(id) }} search={{ tab: 'orders' }}>
            {open_orders}
          </LinkText>
        </dd>
        <dt>{t('column.overdue')}</dt>
        <dd>
          {overdue.length === 0
            ? t('overview.nothing_overdue')
            : overdue.map(({ currency, amount, payments }) => (
                <div key={currency}>
                  <LinkText
                    to="/customer/insertion-order/payments"
                    search={{ search: '', page: 1, group: 'overdue', advertiser: id, currency }}
                    className={styles.bad ?? ''}
                  >
                    {formatMoney(amount, currency, language)}
                  </LinkText>{' '}
                  <span className={styles.quiet}>{t('overdue_payments', { count: payments })}</span>
                </div>
              ))}
        </dd>
      </dl>
    </Card>
  )
}

function NoteCard({ note }: Pick<Advertiser, 'note'>) {
  const { t } = useTranslation('advertisers')
  return (
    <Card title={t('field.note')}>
      <p className={styles.note}>{note}</p>
    </Card>
  )
}

function FactsCard({ advertiser }: { advertiser: Advertiser }) {
  const { t, language } = useTranslation('advertisers')
  const { t: tCustomers } = useTranslation('customers')
  const { t: tMoney } = useTranslation('money')
  const people = usePeople().filter(({ id }) => advertiser.members.includes(id))
  const { legal_name, website, address, billing_currency, service_fee_rate } = advertiser
  const facts = [
    [t('field.legal_name'), legal_name],
    [tCustomers(`tax_ids.${advertiser.tax_country}`), advertiser.tax_id],
    [
      t('field.members'),
      listText(
        people.map(({ user }) => nameOf(user)),
        language,
      ),
    ],
    [t('field.billing_currency'), billing_currency ?? t('each_account')],
    [t('field.tax'), tCustomers(`tax.${advertiser.tax}`)],
    [t('field.media_billing'), tCustomers(`media_billing.${advertiser.media_billing}`)],
    [t('field.payment_terms'), termsText(tMoney, advertiser.payment_terms)],
    [t('overview.fee'), service_fee_rate === null ? '' : formatRate(service_fee_rate, language)],
    [t('field.document_language'), languageNames[advertiser.document_language]],
    [t('field.address'), address],
  ] as const
  return (
    <Card title={t('overview.facts')}>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        {website !== '' && (
          <Fact name={t('field.website')}>
            <a href={website} target="_blank" rel="noreferrer">
              {website.replace(/^https?:\/\/|\/$/g, '')}
            </a>
          </Fact>
        )}
      </dl>
      <SharesTaxId advertiser={advertiser} />
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

/** Brands of one company lead to each other. */
function SharesTaxId({ advertiser: { shares_tax_id_with } }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  if (shares_tax_id_with.length === 0) return null
  return (
    <p className={styles.small}>
      {t('overview.shares_tax_id')}{' '}
      {shares_tax_id_with.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ' · '}
          <LinkText to="/customer/advertiser/$id" params={{ id: String(id) }}>
            {name}
          </LinkText>
        </span>
      ))}
    </p>
  )
}

function ContactsCard({ advertiser: { id, contacts } }: { advertiser: Advertiser }) {
  const { t } = useTranslation('advertisers')
  return (
    <Card title={t('field.contacts')}>
      {contacts.length === 0 ? (
        <p className={styles.note}>
          {t('overview.no_contacts')}{' '}
          <LinkText to="/customer/advertiser/$id" params={{ id: String(id) }} search={{ tab: 'data' }}>
            {t('overview.add_contact')}
          </LinkText>
        </p>
      ) : (
        <ul className={styles.people}>
          {contacts.map(({ name, title, phone, email, is_billing }) => (
            <li key={`${name} ${email} ${phone}`}>
              <strong>{name}</strong>
              {title !== '' && ` · ${title}`}
              {email !== '' && (
                <div>
                  <a href={`mailto:${email}`}>{email}</a>
                </div>
              )}
              {phone !== '' && (
                <div>
                  <a href={`tel:${phone.replaceAll(/[^\d+]/g, '')}`}>{phone}</a>
                </div>
              )}
              {is_billing && <small className={styles.quiet}>{t('overview.billing_contact')}</small>}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
