import {
  IconAddressBook,
  IconActivity,
  IconAdjustments,
  IconBriefcase,
  IconBuildingCommunity,
  IconBuildingStore,
  IconCalendarTime,
  IconCoins,
  IconCategory,
  IconHelpCircle,
  IconHome,
  IconLifebuoy,
  IconMailbox,
  IconPlugConnected,
  IconRefresh,
  IconReportAnalytics,
  IconTable,
  IconUsers,
  IconTargetArrow,
  IconLink,
  IconWorldWww,
  IconSpeakerphone,
  IconPhoto,
  IconFiles,
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
    items: [{ key: 'overview', to: '/', go: 'o', icon: IconHome, reach: 'external_user' }],
  },
  {
    key: 'report',
    icon: IconReportAnalytics,
    items: [
      { key: 'auto_update', to: '/gs-template', go: 'r', icon: IconRefresh, reach: 'external_user' },
      { key: 'spreadsheets', to: '/sheets', go: 's', icon: IconTable, reach: 'external_user' },
      { key: 'insight_settings', to: '/insight-setting', go: 'f', icon: IconAdjustments, reach: 'staff' },
      {
        key: 'mailbox',
        to: '/mailbox',
        go: 'm',
        icon: IconMailbox,
        reach: 'external_user',
        only: (me: IdentityReply) => me.has_mailbox,
      },
    ],
  },
  {
    key: 'audience',
    icon: IconAddressBook,
    items: [
      {
        key: 'audience_lists',
        to: '/lta-audience/audience-list',
        go: 'l',
        icon: IconAddressBook,
        reach: 'external_user',
      },
    ],
  },
  {
    key: 'customers',
    icon: IconBuildingStore,
    items: [
      { key: 'advertisers', to: '/customer/advertiser', go: 'c', icon: IconBuildingStore, reach: 'staff' },
      { key: 'agents', to: '/customer/agent', go: 'g', icon: IconBriefcase, reach: 'staff' },
      { key: 'industries', to: '/customer/industry', go: 'n', icon: IconCategory, reach: 'staff' },
      {
        key: 'issuer',
        to: '/customer/issuer',
        go: 'd',
        icon: IconReportAnalytics,
        reach: 'director_or_finance',
      },
    ],
  },
  {
    key: 'advertising',
    icon: IconTargetArrow,
    items: [
      {
        key: 'target_audiences',
        to: '/advertisement/target-audience',
        go: 'y',
        icon: IconTargetArrow,
        reach: 'staff',
      },
      { key: 'links', to: '/advertisement/create-link', go: 'k', icon: IconLink, reach: 'staff' },
    ],
  },
  {
    key: 'materials',
    icon: IconPhoto,
    items: [
      { key: 'sites', to: '/material/site', go: 'w', icon: IconWorldWww, reach: 'staff' },
      { key: 'publishers', to: '/material/media', go: 'h', icon: IconSpeakerphone, reach: 'staff' },
      { key: 'images', to: '/material/image', go: 'v', icon: IconPhoto, reach: 'staff' },
      { key: 'files', to: '/material/file', go: 'x', icon: IconFiles, reach: 'staff' },
    ],
  },
  {
    key: 'businesses',
    icon: IconBuildingCommunity,
    items: [
      {
        key: 'businesses',
        to: '/bm-management',
        go: 'b',
        icon: IconBuildingCommunity,
        reach: 'external_user',
        only: (me: IdentityReply) => Object.keys(me.availableBM).length > 0,
      },
    ],
  },
  {
    key: 'ec_spend',
    icon: IconCoins,
    items: [{ key: 'ec_spend', to: '/ec-spend', go: 'e', icon: IconCoins, reach: 'director_or_finance' }],
  },
  {
    key: 'settings',
    icon: IconPlugConnected,
    items: [
      { key: 'users', to: '/setting/users', go: 'u', icon: IconUsers, reach: 'external_user' },
      {
        key: 'public_accounts',
        to: '/setting/public-account',
        go: 'p',
        icon: IconPlugConnected,
        reach: 'superuser',
      },
      {
        key: 'instructions',
        to: '/setting/instructions',
        icon: IconHelpCircle,
        reach: 'staff',
        new_tab: true,
      },
      { key: 'audit', to: '/setting/audit', go: 'a', icon: IconCalendarTime, reach: 'superuser' },
      { key: 'operations', to: '/setting/operations', go: 't', icon: IconActivity, reach: 'superuser' },
    ],
  },
  {
    key: 'support',
    icon: IconLifebuoy,
    items: [{ key: 'support', to: '/support', go: 'i', icon: IconLifebuoy, reach: 'staff' }],
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
  /** The letter that opens it after G. */
  go?: string
  /** It opens in a tab of its own, beside what one is doing. */
  new_tab?: true
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
