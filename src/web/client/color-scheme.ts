import type { z } from 'zod'
import type { Theme } from '#shared/api/people.ts'
import { perVisit } from '#web/visit/per-visit.ts'
import { createStore } from './store.ts'

type ColorScheme = z.infer<typeof Theme>

/** Where the last choice is stored for the pages before signing in; afterwards the profile has it. */
const STORAGE_KEY = 'sheetcast.theme'
const prefersDark = perVisit(() => matchMedia('(prefers-color-scheme: dark)'))

/** The chosen theme; what is drawn is `drawnScheme`. */
export const colorScheme = createStore<ColorScheme>(storedScheme)

/** `light` or `dark`, following the system while the choice is `auto`. */
export const drawnScheme = createStore<'light' | 'dark'>(drawn)

export function chooseColorScheme(choice: ColorScheme) {
  localStorage.setItem(STORAGE_KEY, choice)
  colorScheme.set(choice)
}

export const isDarkSystem = (): boolean => prefersDark().matches

/** Applies the theme to the page and keeps it applied. */
export function startColorScheme() {
  colorScheme.subscribe(apply)
  prefersDark().addEventListener('change', apply)
  apply()
}

function apply() {
  drawnScheme.set(drawn())
  document.documentElement.dataset.mantineColorScheme = drawnScheme.get()
}

function drawn() {
  const choice = colorScheme.get()
  return choice === 'auto' ? (isDarkSystem() ? 'dark' : 'light') : choice
}

function storedScheme(): ColorScheme {
  const value = localStorage.getItem(STORAGE_KEY)
  return value === 'light' || value === 'dark' ? value : 'auto'
}
