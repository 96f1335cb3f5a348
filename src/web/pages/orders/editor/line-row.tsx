import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import type { AdAccount } from '#shared/api/ad-accounts.ts'
import { pricings } from '#shared/billing/quotation.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ActionMenu } from '#web/ui/action-menu.tsx'
import { MoneyInput } from '#web/ui/money-input.tsx'
import { formatAmount } from '#web/ui/money.ts'
import { MultiSelectField } from '#web/ui/multi-select-field.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'
import { RateInput } from '#web/ui/rate-input.tsx'
import { formatPercent } from '#web/ui/rate.ts'
import { Cell, ChoiceCell, QuantityCell, TextCell } from './cells.tsx'
import { channelOf, lineKinds, type LineDraft, type LineField } from './draft.ts'
import type { FieldFaults } from './faults.ts'
import styles from './lines.module.css'
import { feeOf, type Agreed } from './sums.ts'
import type { ChangeLine } from './use-draft.ts'

export interface LineActions {
  duplicate: (key: number) => void
  move: (key: number, by: -1 | 1) => void
  remove: (key: number) => void
}

interface LineRowProps {
  line: LineDraft
  /** From 1. */
  number: number
  currency: string
  budget: bigint
  fee: bigint
  /** What the agreement says of the fee. */
  agreedRate: Agreed['rate']
  agreedBasis: Agreed['basis']
  accounts: readonly AdAccount[]
  faults: FieldFaults | undefined
  onChange: ChangeLine
  actions: LineActions
}

/**
 * A line of the quotation. It is drawn again only when something of it has changed: a quotation may have a
 * hundred of them.
 */
export const LineRow = memo(function LineRow(props: LineRowProps) {
  const { line, number } = props
  const { t } = useTranslation('quotation')
  return (
    <div
      role="group"
      aria-label={t('lines.nth', { number })}
      className={styles.line}
      data-line={line.key}
      data-tabular
    >
      <span className={styles.number} aria-hidden>
        {number}
      </span>
      <What {...props} />
      <Days {...props} />
      <Price {...props} />
      <Fee {...props} />
      <div className={styles.menu}>
        <LineMenu {...props} />
      </div>
    </div>
  )
})

/** What a cell is called, and what is wrong with it. */
function useCell({ number, line, faults }: LineRowProps) {
  const { t } = useTranslation('quotation')
  return (field: LineField) => {
    const unread = line.unread[field]
    const code = faults?.[field]
    const error: ReactNode =
      unread === undefined ? code && <ProblemText code={code} /> : t('lines.unread', { text: unread })
    return {
      label: t('lines.cell', { number, field: t(`field.${field}`) }),
      name: t(`field.${field}`),
      field,
      error,
    }
  }
}

function What(props: LineRowProps) {
  const { line, onChange, accounts } = props
  const { t, language } = useTranslation('quotation')
  const cell = useCell(props)
  const channel = channelOf(line.kind)
  const own = accounts.filter(account => account.channel === channel)
  return (
    <>
      <ChoiceCell
        {...cell('kind')}
        value={line.kind}
        options={lineKinds.map(kind => ({
          value: kind,
          label: kind === 'publisher' || kind === 'other' ? t(`kind.${kind}`) : channelNames[kind][language],
        }))}
        onChange={kind => onChange(line.key, { kind, accounts: [] })}
      />
      <div className={styles.what}>
        {line.kind === 'publisher' && (
          <TextCell
            {...cell('publisher')}
            value={line.publisher}
            onChange={publisher => onChange(line.key, { publisher })}
            maxLength={120}
          />
        )}
        <TextCell
          {...cell('title')}
          value={line.title}
          onChange={title => onChange(line.key, { title })}
          maxLength={120}
        />
      </div>
      <TextCell
        {...cell('description')}
        value={line.description}
        onChange={description => onChange(line.key, { description })}
        maxLength={500}
      />
      <Cell {...cell('accounts')}>
        {channel !== null && (
          <MultiSelectField
            label={cell('accounts').label}
            labelHidden
            placeholder={own.length === 0 ? t('lines.no_accounts') : t('lines.accounts_none')}
            options={own.map(({ id, name, external_id }) => ({
              value: id,
              label: `${name} (${external_id})`,
              short: name,
            }))}
            value={line.accounts}
            disabled={own.length === 0}
            onChange={chosen => onChange(line.key, { accounts: chosen })}
          />
        )}
      </Cell>
    </>
  )
}

function Days(props: LineRowProps) {
  const { line, onChange } = props
  const cell = useCell(props)
  return (
    <>
      <TextCell
        {...cell('start')}
        type="date"
        value={line.start}
        onChange={start => onChange(line.key, { start })}
      />
      <TextCell
        {...cell('end')}
        type="date"
        value={line.end}
        min={line.start}
        onChange={end => onChange(line.key, { end })}
      />
    </>
  )
}

function Price(props: LineRowProps) {
  const { line, currency, budget, onChange } = props
  const { t, language } = useTranslation('quotation')
  const cell = useCell(props)
  const isBudget = line.pricing === 'budget'
  return (
    <>
      <ChoiceCell
        {...cell('pricing')}
        value={line.pricing}
        options={pricings.map(pricing => ({ value: pricing, label: t(`pricing.${pricing}`) }))}
        onChange={pricing => onChange(line.key, { pricing })}
      />
      <Cell {...cell('quantity')}>
        {isBudget ? (
          <Nothing />
        ) : (
          <QuantityCell
            {...cell('quantity')}
            value={line.quantity}
            unread={line.unread.quantity}
            onChange={quantity => onChange(line.key, { quantity })}
          />
        )}
      </Cell>
      <Cell {...cell('unit_price')}>
        {isBudget ? (
          <Nothing />
        ) : (
          <MoneyInput
            aria-label={cell('unit_price').label}
            value={line.unit_price}
            unread={line.unread.unit_price}
            currency={currency}
            offStep
            withoutCurrency
            error={cell('unit_price').error}
            onChange={price => onChange(line.key, { unit_price: price })}
          />
        )}
      </Cell>
      <Cell {...cell('budget')}>
        {isBudget ? (
          <MoneyInput
            aria-label={cell('budget').label}
            value={line.budget}
            unread={line.unread.budget}
            currency={currency}
            withoutCurrency
            error={cell('budget').error}
            onChange={typed => onChange(line.key, { budget: typed })}
          />
        ) : (
          <output className={styles.derived} aria-label={cell('budget').label}>
            {formatAmount(budget, currency, language)}
          </output>
        )}
      </Cell>
    </>
  )
}

/** A cell that does not count with this pricing. */
function Nothing() {
  return <span className={styles.nothing}>–</span>
}

function Fee(props: LineRowProps) {
  const { line, currency, fee, agreedRate, agreedBasis, onChange } = props
  const { t, language } = useTranslation('quotation')
  const cell = useCell(props)
  return (
    <>
      <Cell {...cell('fee_rate')}>
        <RateInput
          aria-label={cell('fee_rate').label}
          value={line.fee_rate}
          unread={line.unread.fee_rate}
          placeholder={formatPercent(agreedRate, language)}
          error={cell('fee_rate').error}
          onChange={rate => onChange(line.key, { fee_rate: rate })}
        />
      </Cell>
      <ChoiceCell
        {...cell('fee_basis')}
        value={feeOf(line, { rate: agreedRate, basis: agreedBasis }).fee_basis}
        options={(['on_top', 'within'] as const).map(basis => ({ value: basis, label: t(`basis.${basis}`) }))}
        onChange={basis => onChange(line.key, { fee_basis: basis })}
      />
      <output className={styles.fee}>{t('lines.fee', { fee: formatAmount(fee, currency, language) })}</output>
    </>
  )
}

function LineMenu({ line: { key }, number, actions }: LineRowProps) {
  const { t } = useTranslation('quotation')
  return (
    <ActionMenu
      label={t('lines.menu', { number })}
      actions={[
        {
          key: 'duplicate',
          label: t('lines.duplicate'),
          icon: IconCopy,
          onClick: () => actions.duplicate(key),
        },
        { key: 'up', label: t('lines.up'), icon: IconArrowUp, onClick: () => actions.move(key, -1) },
        { key: 'down', label: t('lines.down'), icon: IconArrowDown, onClick: () => actions.move(key, 1) },
        {
          key: 'delete',
          label: t('lines.delete'),
          icon: IconTrash,
          tone: 'danger',
          onClick: () => actions.remove(key),
        },
      ]}
    />
  )
}
