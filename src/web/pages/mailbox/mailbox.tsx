import { IconMailbox } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LinkText } from '#web/client/links.tsx'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { PagedList } from '#web/ui/paged-list.tsx'
import { RelativeTime } from '#web/ui/relative-time.tsx'
import { MAILBOX_PAGE, useMailbox } from './data.ts'
import { MailView } from './mail-view.tsx'
import styles from './mailbox.module.css'

/** What the demo would have sent by e-mail: one's own mails, for superusers everybody's. */
export function Mailbox() {
  const { t } = useTranslation('mailbox')
  const { id } = useSearch({ from: '/shell/mailbox' })
  usePageTitle(t('title'))
  return (
    <>
      <PageHeader title={t('title')} detail={t('detail')} />
      <div className={styles.columns} data-open={id !== undefined || undefined}>
        <div className={styles.list}>
          <Card padding="flush">
            <Mails />
          </Card>
        </div>
        {id !== undefined && <MailView key={id} id={id} />}
      </div>
    </>
  )
}

function Mails() {
  const { t } = useTranslation('mailbox')
  const { id, page } = useSearch({ from: '/shell/mailbox' })
  const navigate = useNavigate()
  const mails = useMailbox(page)
  if (mails.error?.code === 'not_found')
    return <EmptyState icon={IconMailbox} title={t('not_here')} detail={t('not_here_detail')} />
  return (
    <PagedList
      list={mails}
      page={page}
      pageSize={MAILBOX_PAGE}
      onPage={next => void navigate({ to: '/mailbox', search: { page: next } })}
      empty={<EmptyState icon={IconMailbox} title={t('empty')} detail={t('empty_detail')} />}
    >
      {results => (
        <ul className={styles.mails} aria-label={t('title')}>
          {results.map(mail => (
            <li key={mail.id} data-current={mail.id === id || undefined}>
              <LinkText
                to="/mailbox"
                search={{ page, id: mail.id }}
                resetScroll={false}
                aria-current={mail.id === id || undefined}
              >
                <strong>{mail.subject}</strong>
                <small>
                  {t('to', { to: mail.receivers.join(', ') })} · <RelativeTime at={mail.at} />
                </small>
              </LinkText>
            </li>
          ))}
        </ul>
      )}
    </PagedList>
  )
}
