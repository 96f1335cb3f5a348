const LIMIT = 5
const keyOf = (user_id: number) => `sheetcast.recent.${user_id}`

/**
 * The reports that this person has opened last in this browser, latest first. Only their ids are stored: the
 * server says what they are called, if the person may still see them.
 */
export function recentReports(user_id: number): number[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(user_id)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(id => Number.isSafeInteger(id)).slice(0, LIMIT) : []
  } catch {
    return []
  }
}

export function noteReport(user_id: number, report: number) {
  const others = recentReports(user_id).filter(id => id !== report)
  localStorage.setItem(keyOf(user_id), JSON.stringify([report, ...others].slice(0, LIMIT)))
}
