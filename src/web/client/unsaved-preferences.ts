import type { z } from 'zod'
import type { UpdateUser } from '#shared/api/people.ts'
import { asProblem } from './problem.ts'

export type Preferences = Pick<z.input<typeof UpdateUser>, 'language' | 'theme'>

/** For one tab: another one may be somebody else's. */
const STORAGE_KEY = 'sheetcast.unsaved_preferences'

/**
 * What this person has chosen in this tab and the server has not confirmed yet: the page may have been left
 * meanwhile.
 */
export function unsavedPreferences(user_id: number): Preferences {
  const [owner, preferences] = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [
    number?,
    Preferences?,
  ]
  return owner === user_id ? { ...preferences } : {}
}

/** Whether anybody's is unconfirmed. */
export const hasUnsavedPreferences = (): boolean => sessionStorage.getItem(STORAGE_KEY) !== null

/**
 * Saves the new choice together with earlier ones that are unconfirmed; keeps them until the server responds.
 */
export async function savePreferences<Saved>(
  user_id: number,
  chosen: Preferences,
  save: (preferences: Preferences) => Promise<Saved>,
): Promise<Saved> {
  const preferences = { ...unsavedPreferences(user_id), ...chosen }
  const stored = JSON.stringify([user_id, preferences])
  sessionStorage.setItem(STORAGE_KEY, stored)
  // A later choice is still to be answered.
  const forget = () => {
    if (sessionStorage.getItem(STORAGE_KEY) === stored) sessionStorage.removeItem(STORAGE_KEY)
  }
  try {
    const saved = await save(preferences)
    forget()
    return saved
  } catch (error) {
    // Leaving the page aborts its requests, like a connection that breaks.
    if (asProblem(error).code !== 'unreachable') forget()
    throw error
  }
}
