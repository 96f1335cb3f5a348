import { VisuallyHidden } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { useMe } from '#web/client/me.ts'
import { useStore } from '#web/client/store.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { closedGroups, showGroup } from './layout.ts'
import { isUnder, menuOf } from './menu.ts'
import styles from './sidebar.module.css'

/** The groups of pages that this person may open; `rail`: only their icons. */
export function Navigation({ rail }: { rail: boolean }) {
  const { t } = useTranslation('app')
  const me = useMe()
  const pathname = useLocation({ select: location => location.pathname })
  const groups = menuOf(me)
  const active = groups.find(group => group.items.some(item => isUnder(pathname, item.to)))?.key
  // Opening a page unfolds its group, so that the current item is visible.
  useEffect(() => {
    if (active !== undefined) showGroup(active, true)
  }, [active])
  return (
    <nav className={styles.nav} aria-label={t('nav.label')}>
      {groups.map(group => (
        <Group key={group.key} group={group} active={group.key === active} rail={rail} />
      ))}
    </nav>
  )
}

interface GroupProps {
  group: ReturnType<typeof menuOf>[number]
  active: boolean
  rail: boolean
}

/** Pages that belong together; several can be folded away under their name. */
function Group({ group, active, rail }: GroupProps) {
  const { t } = useTranslation('app')
  const id = useId()
  const closed = useStore(closedGroups).includes(group.key)
  const hasName = group.items.length > 1 && !rail
  return (
    <div className={styles.group} data-active={active || undefined}>
      {hasName && (
        <h2 className={styles.groupName}>
          <button
            type="button"
            aria-expanded={!closed}
            aria-controls={id}
            onClick={() => showGroup(group.key, closed)}
          >
            {t(`nav.${group.key}`)}
            <IconChevronDown size={14} stroke={1.7} aria-hidden />
          </button>
        </h2>
      )}
      <div id={id} className={styles.pages} hidden={hasName && closed}>
        {group.items.map(item => (
          <Page key={item.key} item={item} rail={rail} />
        ))}
      </div>
    </div>
  )
}

function Page({ item, rail }: { item: GroupProps['group']['items'][number]; rail: boolean }) {
  const { t } = useTranslation('app')
  const here = useLocation({ select: location => isUnder(location.pathname, item.to) })
  const name = t(`nav.${item.key}`)
  return (
    <Link
      ref={here ? keepInView : null}
      to={item.to}
      className={styles.item}
      data-active={here || undefined}
      aria-current={here ? 'page' : undefined}
      {...(rail && { title: name, 'aria-label': name })}
      {...('new_tab' in item && { target: '_blank', rel: 'noopener' })}
    >
      <item.icon size={18} stroke={1.6} aria-hidden />
      {!rail && <span>{name}</span>}
      {'new_tab' in item && <VisuallyHidden>{t('nav.new_tab')}</VisuallyHidden>}
    </Link>
  )
}

/** Also in a window that is lower than all pages together. After scrollIntoView, Tab would begin here. */
function keepInView(link: HTMLElement | null) {
  const nav = link?.closest('nav')
  if (!link || !nav) return
  const [page, frame] = [link.getBoundingClientRect(), nav.getBoundingClientRect()]
  if (page.bottom > frame.bottom) nav.scrollTop += page.bottom - frame.bottom
  else if (page.top < frame.top) nav.scrollTop -= frame.top - page.top
}
