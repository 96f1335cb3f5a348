import type { ImportOutcome } from '#shared/api/reports.ts'
import { channelNames } from '#shared/channels/catalogue.ts'
import { isErrorCode } from '#shared/errors.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { problemText } from '#web/ui/problem-text.tsx'
import { ChannelIcons } from '#web/pages/reports/channel-icon.tsx'
import { gapList } from '#shared/gap-names.ts'
import { scheduleText } from '#web/pages/reports/schedule-text.ts'
import styles from './dialogs.module.css'

type Planned = ImportOutcome['results'][number]

/** The outcome of each report in a file: with what, without what, or why not. */
export function ImportPlan({ plan: { results } }: { plan: ImportOutcome }) {
  const { t } = useTranslation('actions')
  const count = results.filter(({ report }) => report !== null).length
  return (
    <>
      <p className={styles.note}>{count === 0 ? t('import.nothing') : t('import.will_make', { count })}</p>
      <ul className={styles.plan}>
        {/* In the order of the file; two may be equal. */}
        {results.map((planned, index) => (
          <li key={String(index)}>
            <strong>{planned.name === '' ? t('import.unnamed', { number: index + 1 }) : planned.name}</strong>
            <Facts planned={planned} />
            <LeftOut planned={planned} />
            <Problems planned={planned} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Facts({ planned: { report } }: { planned: Planned }) {
  const { t, language } = useTranslation('reports')
  const { t: tActions } = useTranslation('actions')
  if (!report) return null
  const gaps = gapList(report, language)
  return (
    <span className={styles.facts}>
      <ChannelIcons channels={report.channels} />
      <span>{scheduleText(t, report, language)}</span>
      <span>{gaps === '' ? tActions('import.ready') : `${t('gaps')} ${gaps}`}</span>
    </span>
  )
}

function LeftOut({ planned: { left_out } }: { planned: Planned }) {
  const { t, language } = useTranslation('actions')
  const why = useWhy()
  return left_out.map(({ channel, account, code }) => (
    <p key={`${channel} ${account}`} className={styles.warn}>
      {t('import.left_out', { account, channel: channelNames[channel][language], why: why(code) })}
    </p>
  ))
}

function Problems({ planned: { problems } }: { planned: Planned }) {
  const { t } = useTranslation('actions')
  const why = useWhy()
  return problems.map(({ path, code }, index) => (
    <p key={String(index)} className={styles.bad}>
      {t('import.problem', { path: path === '' ? t('import.whole_file') : path, why: why(code) })}
    </p>
  ))
}

function useWhy() {
  const { language } = useTranslation('actions')
  return (code: string) => (isErrorCode(code) ? problemText(code, 'external', language) : code)
}
