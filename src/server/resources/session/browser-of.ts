import { parse } from 'bowser'

/** The browser and the system in the words of their makers, which no language changes; null for what the text does not say. */
export function browserOf(user_agent: string | null): { browser: string | null; system: string | null } {
  // Its parser throws without a text.
  if (!user_agent) return { browser: null, system: null }
  const { browser, os } = parse(user_agent)
  return { browser: browser.name || null, system: os.name || null }
}
