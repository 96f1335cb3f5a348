import { ActionIcon } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconInfoCircle,
} from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import type { Notification } from '#shared/api/notifications.ts'
import { noticeText, noticeActionOf } from '#shared/notice-text.ts'
import { noticeActions } from '#shared/notices.ts'
import { openOverPage } from '#web/client/issues.ts'
import { useIsInternal, useMe } from '#web/client/me.ts'
import { errorTextsIn } from '#web/i18n/i18n.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import styles from './bell-list.module.css'

interface NoticeLineProps {
  notice: Notification
  onRead: () => void
  /** The person has followed the link to the fix. */
  onFollow: () => void
}

/** One notification: its severity, what happened, why, and a link to where it can be fixed. */
export function NoticeLine({ notice, onRead, onFollow }: NoticeLineProps) {
  const { t, language } = useTranslation('notices')
  const { t: tUi } = useTranslation('ui')
  const audience = useIsInternal() ? 'internal' : 'external'
  const { specialists } = useMe()
  const errors = errorTextsIn(language)
  if (!errors) return null
  const { title, cause } = noticeText(notice, { language, errors, audience, specialists })
  const offer = noticeActionOf(notice, audience)
  const Glyph = icons[notice.severity]
  const isUnread = notice.read_at === null
  return (
    <li className={styles.line} data-severity={notice.severity} data-unread={isUnread || undefined}>
      <Glyph
        className={styles.icon}
        size={18}
        stroke={1.7}
        aria-label={tUi(`severity.${notice.severity}`)}
        role="img"
      />
      <div className={styles.body}>
        <p className={styles.title}>
          {isUnread && <span className={styles.hidden}>{t('unread')}</span>}
          {title}
        </p>
        {cause && <p className={styles.cause}>{cause}</p>}
        <p className={styles.about}>
          {offer && (
            <ActionLink path={offer.path} onFollow={onFollow}>
              {noticeActions[offer.action][language]}
            </ActionLink>
          )}
          <RelativeTime at={notice.at} />
        </p>
      </div>
      {isUnread && (
        <ActionIcon size="sm" onClick={onRead} aria-label={t('read_this', { title })} title={t('read')}>
          <IconCheck size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </li>
  )
}

const icons = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  error: IconCircleX,
} as const

interface ActionLinkProps {
  path: string
  onFollow: () => void
  children: string
}

/** Within the page on a plain click; a new tab stays possible. */
function ActionLink({ path, onFollow, children }: ActionLinkProps) {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    onFollow()
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    if (!openOverPage(path)) void router.navigate({ href: path })
  }
  return (
    <a href={path} onClick={follow}>
      {children}
    </a>
  )
}
