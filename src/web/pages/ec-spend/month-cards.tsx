import type { EcSpend } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { MonthPicker } from '#web/ui/month-picker.tsx'
import { monthText } from '#web/ui/month.ts'
import { Amount } from './amount.tsx'
import styles from './ec-spend.module.css'
import { useLineName } from './line-name.ts'
import { linesOf, linesOfNobody, totalLine, type Line } from './lines.ts'
import { MonthState } from './matrix.tsx'
import { useView } from './view.ts'

/** On a phone: one month at a time, an advertiser a card. */
export function MonthCards({ spend, currency }: { spend: EcSpend; currency: string }) {
  const { t, language } = useTranslation('spending')
  const { view, change } = useView()
  const { measure, months, from, to } = view
  const month = view.month !== undefined && months.includes(view.month) ? view.month : to
  const group = view.group === 'channel' ? 'channel' : 'advertiser'
  const lines = linesOf(spend.rows, { currency, measure, group }).filter(({ cells }) => cells.has(month))
  const unbilled = linesOfNobody(spend.rows).filter(({ cells }) => cells.has(month))
  return (
    <div className={styles.cards}>
      <div className={styles.cardsHead}>
        <MonthPicker
          aria-label={t('month')}
          value={month}
          from={from}
          to={to}
          latestFirst
          onChange={chosen => change({ month: chosen ?? undefined })}
        />
        <MonthState month={spend.months.find(of => of.month === month)} />
      </div>
      <p className={styles.cardsTotal}>
        <span>{t('matrix.all')}</span>
        <strong>
          <Amount
            cell={totalLine(spend.rows, currency, measure).cells.get(month)}
            currency={currency}
            withCurrency
          />
        </strong>
      </p>
      <ul>
        {lines.map(line => (
          <LineCard key={line.key} line={line} month={month} currency={currency} />
        ))}
        {measure === 'billed' &&
          unbilled.map(line => (
            <LineCard key={line.key} line={line} month={month} currency={line.currency} />
          ))}
      </ul>
      <LinkButton to="/ec-spend/$month" params={{ month }} variant="default" fullWidth>
        {t('open_month', { month: monthText(month, language) })}
      </LinkButton>
    </div>
  )
}

function LineCard({ line, month, currency }: { line: Line; month: string; currency: string }) {
  const { language } = useTranslation('spending')
  const nameOf = useLineName()
  const parts = line.parts.filter(({ cells }) => cells.has(month))
  return (
    <li className={styles.card}>
      <p>
        <strong>{nameOf(line)}</strong>
        <Amount cell={line.cells.get(month)} currency={currency} withCurrency />
      </p>
      {parts.map(part => (
        <p key={part.key} className={styles.cardPart}>
          <span>
            {part.kind === 'channel' && part.channel ? channelNames[part.channel][language] : nameOf(part)}
          </span>
          <Amount cell={part.cells.get(month)} currency={currency} />
        </p>
      ))}
    </li>
  )
}
