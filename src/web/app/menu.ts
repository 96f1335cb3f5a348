import {
  IconActivity,
  IconCalendarTime,
  IconHome,
  IconLifebuoy,
  IconMailbox,
  IconPlugConnected,
  IconRefresh,
  IconReportAnalytics,
  IconTable,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { mayReach, type Reach } from '#shared/access.ts'
import type { IdentityReply } from '#shared/api/people.ts'

/**
 * The sidebar as data. A page appears by adding its line here; a group whose lines are all hidden is not
 * drawn.
 */
export const menu = [
  {
    key: 'overview',
    icon: IconHome,
    items: [{ key: 'overview', to: '/', icon: IconHome, reach: 'external_user' }],
  },
  {
    key: 'report',
    icon: IconReportAnalytics,
    items: [
      { key: 'auto_update', to: '/gs-template', icon: IconRefresh, reach: 'external_user' },
      { key: 'spreadsheets', to: '/sheets', icon: IconTable, reach: 'external_user' },
      {
        key: 'mailbox',
        to: '/mailbox',
        icon: IconMailbox,
        reach: 'external_user',
        only: (me: IdentityReply) => me.has_mailbox,
      },
    ],
  },
  {
    key: 'settings',
    icon: IconPlugConnected,
    items: [
      { key: 'users', to: '/setting/users', icon: IconUsers, reach: 'external_user' },
      {
        key: 'public_accounts',
        to: '/setting/public-account',
        icon: IconPlugConnected,
        reach: 'superuser',
      },
      { key: 'audit', to: '/setting/audit', icon: IconCalendarTime, reach: 'superuser' },
      { key: 'operations', to: '/setting/operations', icon: IconActivity, reach: 'superuser' },
    ],
  },
  {
    key: 'support',
    icon: IconLifebuoy,
    items: [{ key: 'support', to: '/support', icon: IconLifebuoy, reach: 'external_user' }],
  },
] as const satisfies readonly MenuGroup[]

interface MenuGroup {
  key: string
  icon: Icon
  items: readonly MenuItem[]
}
interface MenuItem {
  key: string
  to: string
  icon: Icon
  reach: Reach
  /** A rule that is no role, for example having business managers. */
  only?: (me: IdentityReply) => boolean
}

/** The groups with what this person may open. */
export const menuOf = (me: IdentityReply) =>
  menu
    .map(group => ({ ...group, items: group.items.filter((item: MenuItem) => mayOpen(item, me)) }))
    .filter(group => group.items.length > 0)

const mayOpen = (item: MenuItem, me: IdentityReply) => mayReach(me, item.reach) && (item.only?.(me) ?? true)

/** Whether the page at `pathname` lies under the item. */
export const isUnder = (pathname: string, to: string) =>
  to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)
