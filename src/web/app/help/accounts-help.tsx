import { authorisations } from '#shared/authorisation.ts'
import { channelNames, type Channel } from '#shared/channels/catalogue.ts'
import { LinkText } from '#web/client/links.tsx'
import { useMe } from '#web/client/me.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './help.module.css'

interface AccountsHelpProps {
  /** The one that is opened; those of the same accounts have one part. */
  channel: Channel | undefined
  onFollow: () => void
}

/** How a client grants the agency access to an account, by channel, and how it gets here. */
export function AccountsHelp({ channel, onFollow }: AccountsHelpProps) {
  const { t, language } = useTranslation('help')
  const { identity } = useMe()
  return (
    <div className={styles.accounts}>
      <p className={styles.text}>{t('accounts.intro')}</p>
      {authorisations.map(({ channel: each, how }) => (
        <details key={each} open={channel === each || undefined}>
          <summary>{channelNames[each][language]}</summary>
          <p className={styles.text}>{how[language]}</p>
        </details>
      ))}
      <p className={styles.text}>
        {t(identity === 'superuser' ? 'accounts.import' : 'accounts.ask')}{' '}
        {identity === 'superuser' && (
          <LinkText to="/setting/public-account" search={{ search: '', page: 1 }} onClick={onFollow}>
            {t('accounts.public_accounts')}
          </LinkText>
        )}
      </p>
    </div>
  )
}
