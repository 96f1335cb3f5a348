import type { Meanings } from '#shared/block-catalogue.ts'
import { catalogueOf } from '#shared/channels/all.ts'
import { dimensions, filterFields, type Channel } from '#shared/channels/catalogue.ts'
import type { Conversion, ConvertedReport } from '#shared/convert-to-ga4.ts'
import type { Language } from '#shared/language.ts'
import { metricIn } from '#shared/metrics.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { metricNames } from '#web/pages/reports/editor/known.ts'
import styles from './convert-dialog.module.css'

interface ConversionListProps {
  before: ConvertedReport
  conversions: readonly Conversion[]
  meanings: Meanings
}

const qualities = ['dropped', 'different', 'close'] as const

/** What cannot be converted, what counts something else in GA4, and what is about the same. */
export function ConversionList({ before, conversions, meanings }: ConversionListProps) {
  const { t, language } = useTranslation('editing')
  const visible = conversions.filter(({ kind }) => kind !== 'account')
  if (visible.length === 0) return null
  return (
    <div className={styles.changes} role="group" aria-label={t('convert.changes')}>
      {qualities.map(quality => {
        const lines = [
          ...new Set(
            visible
              .filter(conversion => conversion.quality === quality)
              .map(conversion => lineOf(conversion, { before, language, meanings })),
          ),
        ]
        if (lines.length === 0) return null
        return (
          <section key={quality}>
            <h3>{t(`convert.${quality}`)}</h3>
            <ul>
              {lines.map(line => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}

interface Words {
  language: Language
  meanings: Meanings
}

function lineOf(
  { kind, block, from, to }: Conversion,
  { before, ...words }: Words & { before: ConvertedReport },
): string {
  const channel = before.channels[block ?? -1]?.channel ?? 'ga'
  const old_name = nameOf(kind, from, { channel, ...words })
  const new_name = to === null ? null : nameOf(kind, to, { channel: 'ga4', ...words })
  return new_name === null || new_name === old_name ? old_name : `${old_name} → ${new_name}`
}

function nameOf(
  kind: Conversion['kind'],
  id: string,
  { channel, language, meanings }: Words & { channel: Channel },
): string {
  const named: Record<string, { names: Record<Language, string> }> =
    kind === 'dimension' ? dimensions : filterFields
  if (kind === 'metric') {
    const of = metricIn(catalogueOf(channel), id) ? channel : 'ga4'
    return metricNames(id, catalogueOf(of), meanings)[language]
  }
  return Object.hasOwn(named, id) ? (named[id]?.names[language] ?? id) : id
}
