import { ActionIcon } from '@mantine/core'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import type { Report } from '#shared/api/reports.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './report-table.module.css'
import { useFavourite } from './use-favourite.ts'

/** Marks a report as a favourite of the reader; beside other names it is there for the pointer and keys. */
export function Star({ report }: { report: Report }) {
  const { t } = useTranslation('reports')
  const toggle = useFavourite(report)
  const Glyph = report.favourite ? IconStarFilled : IconStar
  return (
    <ActionIcon
      size={24}
      className={styles.star}
      aria-label={t('favourite.star', { name: report.name })}
      title={t(report.favourite ? 'favourite.remove' : 'favourite.add')}
      aria-pressed={report.favourite}
      onClick={toggle}
    >
      <Glyph size={15} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
