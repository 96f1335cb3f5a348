import {
  IconCash,
  IconFileInvoice,
  IconFilePlus,
  IconFolder,
  IconLanguage,
  IconLifebuoy,
  IconLogout,
  IconMoon,
  IconReportAnalytics,
  IconSun,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Report } from '#shared/api/reports.ts'
import { mayReach } from '#shared/access.ts'
import type { NamedKind } from '#shared/named-kinds.ts'
import { menuOf } from '#web/app/menu.ts'
import { drawnScheme } from '#web/client/color-scheme.ts'
import { reportIssue } from '#web/client/issues.ts'
import { useMe, useUpdatePreferences } from '#web/client/me.ts'
import { useSignOut } from '#web/client/sign-out.ts'
import { useStore } from '#web/client/store.ts'
import { app as appEn } from '#web/i18n/en/app.ts'
import { palette as paletteEn } from '#web/i18n/en/palette.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { app as appZh } from '#web/i18n/zh-TW/app.ts'
import { palette as paletteZh } from '#web/i18n/zh-TW/palette.ts'
import { useFoundReports, useMyFolders, useRecentReports } from './data.ts'
import { matching, type Findable } from './matching.ts'
import { recentReports } from './recent.ts'
import { useNamedEntries } from './use-named-entries.ts'

export type Kind = 'recent' | 'pages' | 'actions' | 'folders' | 'reports' | NamedKind

export interface Entry extends Findable {
  key: string
  name: string
  /** The owner of a report, or the folder or group that something belongs to. */
  note: string | null
  icon: Icon
  open: () => void
}

export interface Found {
  groups: { kind: Kind; entries: Entry[] }[]
  /** Some of it is still loading. */
  is_searching: boolean
  has_failed: boolean
}

/**
 * What there is to go to or to do. What this browser knows by itself comes first: what the server finds is
 * added below, so that nothing moves under the pointer. `settled` is the text when typing last paused.
 */
export function useEntries(typed: string, settled: string): Found {
  const pages = usePages()
  const actions = useActions()
  const folders = useFolderEntries()
  const found = useFoundReports(typed === '' ? '' : settled)
  const named = useNamedEntries(typed === '' ? '' : settled)
  const toReport = useReportEntry()
  const [opened] = useOpened()
  const recent = useRecentReports(opened)
  const groups =
    typed === ''
      ? [
          { kind: 'recent' as const, entries: recent.map(toReport) },
          { kind: 'actions' as const, entries: actions.slice(0, 1) },
          { kind: 'pages' as const, entries: pages },
        ]
      : [
          { kind: 'pages' as const, entries: matching(pages, typed) },
          { kind: 'actions' as const, entries: matching(actions, typed) },
          { kind: 'folders' as const, entries: matching(folders, typed).slice(0, MOST_FOLDERS) },
          { kind: 'reports' as const, entries: (found.data?.results ?? []).map(toReport) },
          // Below the reports, and not before them.
          ...(found.isPending ? [] : named.groups),
        ]
  return {
    groups: groups.filter(({ entries }) => entries.length > 0),
    is_searching: typed !== '' && (typed !== settled || isWaiting(found) || named.is_searching),
    has_failed: found.isError || named.has_failed,
  }
}

const isWaiting = (query: { isPending: boolean; isPlaceholderData: boolean }) =>
  query.isPending || query.isPlaceholderData

const MOST_FOLDERS = 6

/** As it was when the palette was opened. */
function useOpened() {
  const { user_id } = useMe()
  return useState(() => recentReports(user_id))
}

/** Pages that the sidebar does not have. */
const hiddenPages = [
  { key: 'insertion_orders', to: '/customer/insertion-order', icon: IconFileInvoice },
  { key: 'payments', to: '/customer/insertion-order/payments', icon: IconCash },
] as const

/** The pages that this person may open. */
function usePages(): Entry[] {
  const { t } = useTranslation('app')
  const me = useMe()
  const navigate = useNavigate()
  const ofMenu = menuOf(me).flatMap(group =>
    group.items.map(item => ({
      key: `page ${item.to}`,
      name: t(`nav.${item.key}`),
      names: [appEn.nav[item.key], appZh.nav[item.key]],
      note: null,
      icon: item.icon,
      open: () => {
        if ('new_tab' in item) globalThis.open(item.to, '_blank', 'noopener')
        else void navigate({ to: item.to })
      },
    })),
  )
  return [
    ...ofMenu,
    ...(mayReach(me, 'staff') ? hiddenPages : []).map(({ key, to, icon }) => ({
      key: `page ${to}`,
      name: t(`crumb.${key}`),
      names: [appEn.crumb[key], appZh.crumb[key]],
      note: null,
      icon,
      open: () => void navigate({ to, search: { search: '', page: 1 } }),
    })),
    {
      key: 'page /profile',
      name: t('header.profile'),
      names: [appEn.header.profile, appZh.header.profile],
      note: null,
      icon: IconUser,
      open: () => void navigate({ to: '/profile' }),
    },
  ]
}

/** What can be done from anywhere, most frequent first. */
function useActions(): Entry[] {
  const { t, language } = useTranslation('palette')
  const navigate = useNavigate()
  const update = useUpdatePreferences()
  const signOut = useSignOut()
  const isDark = useStore(drawnScheme) === 'dark'
  const of = (
    key: 'new_report' | 'report_issue' | 'to_dark' | 'to_light' | 'to_chinese' | 'to_english' | 'sign_out',
  ) => ({
    key: `action ${key}`,
    name: t(key),
    names: [paletteEn[key], paletteZh[key]],
    note: null,
  })
  return [
    {
      ...of('new_report'),
      icon: IconFilePlus,
      open: () => void navigate({ to: '/gs-template/new', search: {} }),
    },
    { ...of('report_issue'), icon: IconLifebuoy, open: () => reportIssue() },
    {
      ...of(isDark ? 'to_light' : 'to_dark'),
      icon: isDark ? IconSun : IconMoon,
      open: () => update.mutate({ theme: isDark ? 'light' : 'dark' }),
    },
    {
      ...of(language === 'en' ? 'to_chinese' : 'to_english'),
      icon: IconLanguage,
      open: () => update.mutate({ language: language === 'en' ? 'zh-TW' : 'en' }),
    },
    { ...of('sign_out'), icon: IconLogout, open: () => signOut.mutate({ everywhere: false }) },
  ]
}

function useFolderEntries(): Entry[] {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  const folders = useMyFolders().data ?? []
  return folders.flatMap(({ id, name, parent }) => {
    if (id === null) return []
    const above = folders.find(folder => folder.id === parent && parent !== null)
    return [
      {
        key: `folder ${id}`,
        name,
        names: [name],
        note: above ? t('in_folder', { name: above.name }) : null,
        icon: IconFolder,
        open: () => void navigate({ to: '/gs-template', search: { p: id, search: '', page: 1 } }),
      },
    ]
  })
}

function useReportEntry() {
  const { t } = useTranslation('palette')
  const navigate = useNavigate()
  return ({ id, name, shared_by }: Report): Entry => ({
    key: `report ${id}`,
    name,
    names: [name],
    note: shared_by === null ? null : t('shared_by', { name: shared_by }),
    icon: IconReportAnalytics,
    open: () => void navigate({ to: '/gs-template/template', search: { id } }),
  })
}
