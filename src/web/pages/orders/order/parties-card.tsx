import type { ReactNode } from 'react'
import type { Quotation } from '#shared/api/quotations.ts'
import { languageNames } from '#shared/language.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import styles from './order.module.css'

/** Who offers what to whom, and under which terms. */
export function PartiesCard({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  return (
    <Card title={t('part.parties')}>
      <div className={styles.parties}>
        <Parties order={order} />
      </div>
      <Facts order={order} />
    </Card>
  )
}

function Parties({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { parties, bill_to, advertiser_name, agent_name } = order
  if (parties === null)
    return (
      <div>
        <h3>{t('party.buyer')}</h3>
        <strong>{(bill_to === 'agent' ? agent_name : null) ?? advertiser_name}</strong>
        <p className={styles.quiet}>{t('party.not_frozen')}</p>
      </div>
    )
  const { issuer, buyer, advertiser } = parties
  const issuerId = order.tax === 'jp_ct' ? issuer.jp_tax_id : issuer.tax_id
  return (
    <>
      {issuer.name !== '' && (
        <Party title={t('party.issuer')} name={issuer.name} taxId={issuerId} address={issuer.address} />
      )}
      <Party title={t('party.buyer')} name={buyer.name} taxId={buyer.tax_id} address={buyer.address} />
      {bill_to === 'agent' && <Party title={t('party.advertiser')} name={advertiser} taxId="" address="" />}
    </>
  )
}

interface PartyProps {
  title: string
  name: string
  taxId: string
  address: string
}

function Party({ title, name, taxId, address }: PartyProps) {
  const { t } = useTranslation('orders')
  return (
    <div>
      <h3>{title}</h3>
      <strong>{name}</strong>
      {taxId !== '' && <p>{t('party.tax_id', { id: taxId })}</p>}
      {address !== '' && <p>{address}</p>}
    </div>
  )
}

function Facts({ order }: { order: Quotation }) {
  const { t } = useTranslation('orders')
  const { t: tMoney } = useTranslation('money')
  const { payment_terms: terms } = order
  const facts: [name: string, value: ReactNode][] = [
    [t('fact.owner'), order.owner_name],
    [t('fact.agent'), order.agent_name],
    [t('fact.issue_on'), order.issue_on],
    [t('fact.valid_until'), order.valid_until],
    [t('fact.client_po'), order.client_po],
    [t('fact.terms'), `${tMoney(`terms.${terms.kind}`)}: ${terms.days} ${tMoney('terms.unit')}`],
    [t('fact.media_billing'), t(`media_billing.${order.media_billing}`)],
    [t('fact.tax'), t(`tax.${order.tax}`)],
    [t('fact.language'), languageNames[order.language]],
  ]
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
