import { Button } from '@mantine/core'
import { IconDeviceDesktop } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { SignInSession } from '#shared/api/session.ts'
import { showToast } from '#web/client/toasts.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { TableLoading } from '#web/ui/table-loading.tsx'
import { instantText } from '#web/ui/times.ts'
import { useEndSession, useSessions } from './data.ts'
import styles from './profile.module.css'

const DAY_MS = 24 * 60 * 60_000

/** The own active sessions, each but this one with a button to end it. */
export function SessionsCard() {
  const { t } = useTranslation('profile')
  const section = useRef<HTMLDivElement>(null)
  const sessions = useSessions()
  const end = useEndSession(() => showToast({ severity: 'success', message: t('session_ended') }))
  const isThere = sessions.data !== undefined
  // A notification links here; the list is not there yet when the page opens.
  useEffect(() => {
    if (isThere && location.hash === '#sessions') section.current?.scrollIntoView()
  }, [isThere])
  const rows = sessions.data?.results ?? []
  const [first] = rows
  return (
    <div id="sessions" ref={section}>
      <Card title={t('sessions')}>
        {sessions.error ? (
          <Problem code={sessions.error.code} onRetry={() => void sessions.refetch()} />
        ) : !sessions.data ? (
          <TableLoading rows={2} />
        ) : (
          <ul className={styles.sessions}>
            {rows.map(row => (
              <Session
                key={row.id}
                session={row}
                ending={end.isPending && end.variables === row.id}
                onEnd={() => end.mutate(row.id)}
              />
            ))}
          </ul>
        )}
        {end.error && <Problem code={end.error.code} />}
        {first && <p className={styles.hint}>{t('sessions_hint', { days: daysOf(first) })}</p>}
      </Card>
    </div>
  )
}

const daysOf = ({ created_at, ends_at }: SignInSession) =>
  Math.round((Date.parse(ends_at) - Date.parse(created_at)) / DAY_MS)

interface SessionProps {
  session: SignInSession
  ending: boolean
  onEnd: () => void
}

function Session({ session, ending, onEnd }: SessionProps) {
  const { t, language } = useTranslation('profile')
  const browser = [session.browser, session.system].filter(Boolean).join(' · ') || t('session_unknown')
  const since = instantText(session.created_at, language)
  const facts = [
    t('session_since', { time: since }),
    ...(session.address === null ? [] : [t('session_from', { address: session.address })]),
    t('session_used', { time: instantText(session.last_used_at, language) }),
  ]
  return (
    <li>
      <div className={styles.session}>
        <strong>{browser}</strong>
        {facts.map(fact => (
          <span key={fact}>{fact}</span>
        ))}
      </div>
      {session.is_current ? (
        <StatusBadge tone="accent" icon={IconDeviceDesktop} label={t('session_here')} />
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={ending}
          onClick={onEnd}
          aria-label={t('session_end_named', { browser, time: since })}
        >
          {t('session_end')}
        </Button>
      )}
    </li>
  )
}
