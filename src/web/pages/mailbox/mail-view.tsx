import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { createElement, useState, type ReactNode } from 'react'
import type { OpenedMail } from '#shared/api/mailbox.ts'
import { LinkButton } from '#web/client/links.tsx'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { Card } from '#web/ui/card.tsx'
import { Problem } from '#web/ui/problem.tsx'
import { SegmentedField } from '#web/ui/segmented-field.tsx'
import { instantText } from '#web/ui/times.ts'
import { useMail } from './data.ts'
import { readMailHtml, type MailNode } from './mail-html.ts'
import styles from './mailbox.module.css'

/** One mail as its receiver would see it. */
export function MailView({ id }: { id: number }) {
  const { t } = useTranslation('mailbox')
  const { page } = useSearch({ from: '/shell/mailbox' })
  const mail = useMail(id)
  return (
    <Card title={mail.data?.subject ?? ''}>
      <div className={styles.back}>
        <LinkButton
          to="/mailbox"
          search={{ page }}
          size="xs"
          variant="default"
          leftSection={<IconArrowLeft size={15} stroke={1.7} aria-hidden />}
        >
          {t('back')}
        </LinkButton>
      </div>
      {mail.error ? (
        <Problem code={mail.error.code} onRetry={() => void mail.refetch()} />
      ) : mail.data ? (
        <Opened mail={mail.data} />
      ) : (
        <Skeleton height={260} />
      )}
    </Card>
  )
}

function Opened({ mail }: { mail: OpenedMail }) {
  const { t, language } = useTranslation('mailbox')
  const [form, setForm] = useState<'html' | 'text'>(mail.html === null ? 'text' : 'html')
  return (
    <>
      <dl className={styles.facts}>
        <dt>{t('from')}</dt>
        <dd>{mail.from}</dd>
        <dt>{t('receiver')}</dt>
        <dd>{mail.receivers.join(', ')}</dd>
        <dt>{t('at')}</dt>
        <dd>{instantText(mail.at, language)}</dd>
      </dl>
      {mail.html !== null && (
        <SegmentedField
          label={t('form')}
          options={[
            { value: 'html', label: t('html') },
            { value: 'text', label: t('text') },
          ]}
          value={form}
          onChange={setForm}
        />
      )}
      {form === 'text' || mail.html === null ? (
        <pre className={styles.text}>{mail.text}</pre>
      ) : (
        <div className={styles.paper}>{drawn(readMailHtml(mail.html))}</div>
      )}
    </>
  )
}

/** Below those of the page, so that who reads by headings is not misled. */
const headings: Partial<Record<string, string>> = { h1: 'h3', h2: 'h4', h3: 'h5' }

/** The parts never move, so their index is a stable key. */
const drawn = (nodes: readonly MailNode[]): ReactNode =>
  nodes.map((node, index) => {
    if (typeof node === 'string') return node
    const { tag, style, href, children } = node
    const link = href === null ? {} : { href, target: '_blank', rel: 'noreferrer' }
    const inside = children.length > 0 ? [drawn(children)] : []
    return createElement(headings[tag] ?? tag, { key: String(index), style, ...link }, ...inside)
  })
