import { LOOK_COOKIE, lookKeys, type Look } from '#shared/drawn-page.ts'
import { colorScheme, isDarkSystem } from '#web/client/color-scheme.ts'
import { singleKeys } from '#web/client/single-keys.ts'
import { closedGroups, sidebar } from './layout.ts'

/** How the pages of this browser look now. */
export const currentLook = (): Look => ({
  is_dark: isDarkSystem(),
  time_zone: Temporal.Now.timeZoneId(),
  stored: Object.fromEntries(
    lookKeys.flatMap(key => {
      const value = localStorage.getItem(key)
      return value === null || value === asAtFirst[key] ? [] : [[key, value]]
    }),
  ),
})

/** Looks as where nothing was ever chosen. */
const asAtFirst: Readonly<Record<string, string>> = {
  'sheetcast.theme': 'auto',
  'sheetcast.sidebar': 'open',
  'sheetcast.closed_groups': '',
  'sheetcast.single_keys': 'on',
}

/** Tells the server, for the next page that it draws. */
export function keepLook() {
  writeLook()
  // What is chosen is stored right after.
  for (const store of [colorScheme, sidebar, closedGroups, singleKeys])
    store.subscribe(() => queueMicrotask(writeLook))
  addEventListener('pagehide', writeLook)
}

function writeLook() {
  const value = encodeURIComponent(JSON.stringify(currentLook()))
  const secure = location.protocol === 'https:' ? '; secure' : ''
  document.cookie = `${LOOK_COOKIE}=${value}; path=/; max-age=${AGE_S}; samesite=strict${secure}`
}

const AGE_S = 365 * 24 * 60 * 60

export const isSameLook = (look: Look) => JSON.stringify(look) === JSON.stringify(currentLook())
