import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './pager.module.css'

interface PagerProps {
  /** From 1. */
  page: number
  pageSize: number
  count: number
  onPage: (page: number) => void
}

/** Which part of a list is shown, and links to the other pages. */
export function Pager({ page, pageSize, count, onPage }: PagerProps) {
  const { t } = useTranslation('ui')
  const pages = Math.max(1, Math.ceil(count / pageSize))
  const first = Math.min(count, (page - 1) * pageSize + 1)
  const last = Math.min(count, page * pageSize)
  return (
    <nav className={styles.pager} aria-label={t('table.page')}>
      <span data-tabular>{t('table.range', { first, last, count })}</span>
      {pages > 1 && (
        <div className={styles.buttons}>
          <ActionIcon disabled={page <= 1} onClick={() => onPage(page - 1)} aria-label={t('table.previous')}>
            <IconChevronLeft size={18} />
          </ActionIcon>
          {pagesAround(page, pages).map((number, index) =>
            number === null ? (
              <span key={`gap ${index}`}>…</span>
            ) : (
              <button
                key={number}
                type="button"
                className={styles.page}
                aria-label={t('table.go_to', { page: number })}
                aria-current={number === page ? 'page' : undefined}
                onClick={() => onPage(number)}
              >
                {number}
              </button>
            ),
          )}
          <ActionIcon disabled={page >= pages} onClick={() => onPage(page + 1)} aria-label={t('table.next')}>
            <IconChevronRight size={18} />
          </ActionIcon>
        </div>
      )}
    </nav>
  )
}

/** The first, the last and those around the present one; null is a gap. */
function pagesAround(page: number, pages: number): (number | null)[] {
  const visible = [1, page - 1, page, page + 1, pages].filter(number => number >= 1 && number <= pages)
  const distinct = [...new Set(visible)].toSorted((a, b) => a - b)
  return distinct.flatMap((number, index) => {
    const before = distinct[index - 1]
    return before !== undefined && number - before > 1 ? [null, number] : [number]
  })
}
