import { Button, Skeleton } from '@mantine/core'
import { IconBellCheck, IconChecks } from '@tabler/icons-react'
import type { Notification } from '#shared/api/notifications.ts'
import type { Language } from '#shared/language.ts'
import { LinkText } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { dayText } from '#web/ui/times.ts'
import styles from './bell-list.module.css'
import { useMarkRead, useNotices } from './data.ts'
import { NoticeLine } from './notice-line.tsx'

/** The person's notifications, grouped by day. */
export function BellList({ unread, onClose }: { unread: number; onClose: () => void }) {
  const { t } = useTranslation('notices')
  const notices = useNotices()
  const read = useMarkRead()
  return (
    <>
      <div className={styles.head}>
        <h2>{t('title')}</h2>
        {unread > 0 && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconChecks size={16} stroke={1.7} aria-hidden />}
            loading={read.isPending && read.variables !== undefined && 'all' in read.variables}
            onClick={() => read.mutate({ all: true })}
          >
            {t('read_all')}
          </Button>
        )}
      </div>
      {notices.error ? (
        <Problem code={notices.error.code} onRetry={() => void notices.refetch()} />
      ) : !notices.data ? (
        <Loading />
      ) : notices.data.length === 0 ? (
        <EmptyState icon={IconBellCheck} title={t('empty')} detail={t('empty_detail')} />
      ) : (
        <Days notices={notices.data} onRead={id => read.mutate({ ids: [id] })} onClose={onClose} />
      )}
      <footer className={styles.foot}>
        {notices.hasNextPage && (
          <Button
            size="compact-sm"
            variant="subtle"
            loading={notices.isFetchingNextPage}
            onClick={() => void notices.fetchNextPage()}
          >
            {t('more')}
          </Button>
        )}
        <LinkText to="/profile" hash="notices" onClick={onClose}>
          {t('mail_settings')}
        </LinkText>
      </footer>
    </>
  )
}

interface DaysProps {
  notices: readonly Notification[]
  onRead: (id: number) => void
  onClose: () => void
}

function Days({ notices, onRead, onClose }: DaysProps) {
  const dayName = useDayName()
  const days = Map.groupBy(notices, notice => dayText(notice.at))
  return [...days].map(([day, of_day]) => (
    <section key={day} aria-label={dayName(day)}>
      <h3 className={styles.day}>{dayName(day)}</h3>
      <ul className={styles.list}>
        {of_day.map(notice => (
          <NoticeLine
            key={notice.id}
            notice={notice}
            onRead={() => onRead(notice.id)}
            onFollow={() => {
              if (notice.read_at === null) onRead(notice.id)
              onClose()
            }}
          />
        ))}
      </ul>
    </section>
  ))
}

/** "Today", "Yesterday", or the day and its weekday. */
function useDayName() {
  const { t, language } = useTranslation('notices')
  const today = Temporal.Now.plainDateISO()
  return (day: string) => {
    if (day === today.toString()) return t('today')
    if (day === today.subtract({ days: 1 }).toString()) return t('yesterday')
    return `${day} ${weekday(day, language)}`
  }
}

const weekday = (day: string, language: Language) =>
  Temporal.PlainDate.from(day).toLocaleString(language, { weekday: 'short' })

const Loading = () => (
  <div className={styles.loading}>
    {[1, 2, 3].map(line => (
      <Skeleton key={line} height={52} />
    ))}
  </div>
)
