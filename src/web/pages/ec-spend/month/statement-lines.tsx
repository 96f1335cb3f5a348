import type { Statement } from '#shared/api/ec-spend.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { ScrollRegion } from '#web/pages/ec-spend/scroll-region.tsx'
import { Money } from './money.tsx'
import styles from './month.module.css'

/** From what each channel reports to what is charged for it. */
export function StatementLines({ statement }: { statement: Statement }) {
  const { t } = useTranslation('closing')
  const { currency, tax, media_billing, lines } = statement
  const label = t('lines.label', { advertiser: statement.advertiser_name, currency })
  return (
    <div className={styles.lines}>
      <p className={styles.quiet}>
        {t(`tax.${tax}`)} · {t(`media_billing.${media_billing}`)}
      </p>
      <ScrollRegion label={label}>
        <table className={styles.table} aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t('column.channel')}</th>
              {columns.map(name => (
                <th key={name} scope="col" data-align="end">
                  {t(`column.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {lines.map(line => (
              <Line key={`${line.channel} ${line.currency}`} line={line} currency={currency} />
            ))}
          </tbody>
          <tbody className={styles.foot}>
            <tr>
              <th scope="row" colSpan={columns.length - 3}>
                {t('lines.sum')}
              </th>
              {(['media', 'fee', 'tax_amount', 'total'] as const).map(name => (
                <td key={name} data-align="end">
                  <Money amount={statement[name]} currency={currency} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

const columns = ['spend', 'invoiced', 'adjusted', 'rate', 'billed', 'fee', 'tax_amount', 'total'] as const

interface LineProps {
  line: Statement['lines'][number]
  currency: string
}

function Line({ line, currency }: LineProps) {
  const { t, language } = useTranslation('closing')
  const why = line.code === null ? undefined : t(`code.${line.code}`)
  const reason = why !== undefined && { why }
  return (
    <tr>
      <th scope="row">
        {channelNames[line.channel][language]}{' '}
        {line.currency !== currency && <span className={styles.quiet}>{line.currency}</span>}
        {why !== undefined && <small className={styles.gapText}>{why}</small>}
      </th>
      <td data-align="end">
        <Money amount={line.spend} currency={line.currency} reported {...reason} />
      </td>
      <td data-align="end">
        {line.invoiced !== null && <Money amount={line.invoiced} currency={line.currency} reported />}
      </td>
      <td data-align="end">
        {line.adjusted !== 0 && <Money amount={line.adjusted} currency={line.currency} signed />}
      </td>
      <td data-align="end">{line.rate}</td>
      {(['billed', 'fee', 'tax_amount', 'total'] as const).map(name => (
        <td key={name} data-align="end">
          <Money amount={line[name]} currency={currency} {...reason} />
        </td>
      ))}
    </tr>
  )
}
