import { menuOf } from '#web/app/menu.ts'
import { useMe } from '#web/client/me.ts'
import { LinkText } from '#web/client/links.tsx'
import { singleKeys } from '#web/client/single-keys.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { InlineAlert } from '#web/ui/inline-alert.tsx'
import styles from './help.module.css'
import { shortcuts } from './shortcuts.ts'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** All keys, by where they work; the pages that this person may go to. */
export function ShortcutList() {
  const { t } = useTranslation('help')
  const { t: tApp } = useTranslation('app')
  const me = useMe()
  const on = useStore(singleKeys)
  const pages = menuOf(me)
    .flatMap(group => group.items)
    .flatMap(item =>
      'go' in item ? [{ name: tApp(`nav.${item.key}`), keys: ['G', item.go.toUpperCase()] }] : [],
    )
  return (
    <div className={styles.shortcuts}>
      {!on && <InlineAlert severity="info">{t('keys_off')}</InlineAlert>}
      {shortcuts.map(({ where, keys }) => (
        <Group
          key={where}
          title={t(`where.${where}`)}
          lines={keys.map(({ does, keys: pressed }) => ({ name: t(`does.${does}`), keys: pressed }))}
        />
      ))}
      <Group title={t('where.pages')} lines={pages} between={t('sequence')} />
      <LinkText to="/profile" hash="shortcuts">
        {t(on ? 'switch_off' : 'switch_on')}
      </LinkText>
    </div>
  )
}

interface GroupProps {
  title: string
  lines: readonly { name: string; keys: readonly string[] }[]
  /** Between keys that are pressed one after the other; else any of them. */
  between?: string
}

function Group({ title, lines, between }: GroupProps) {
  return (
    <section>
      <h3>{title}</h3>
      <dl className={styles.keys}>
        {lines.map(({ name, keys }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {keys.map((pressed, index) => (
                <span key={pressed}>
                  {index > 0 && <span className={styles.then}>{between ?? '/'}</span>}
                  {pressed.split(' ').map(key => (
                    <kbd key={key}>{keyName(key)}</kbd>
                  ))}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const keyName = (key: string) => (key === 'mod' ? (isMac ? '⌘' : 'Ctrl') : key)
