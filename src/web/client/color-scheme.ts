import type { z } from 'zod'
import type { Theme } from '#shared/api/people.ts'
import { createStore } from './store.ts'

type ColorScheme = z.infer<typeof Theme>

/** Where the last choice is kept for the pages before signing in; afterwards the profile says it. */
const KEPT_AS = 'sheetcast.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

/** The chosen theme; what is drawn is `drawnScheme`. */
export const colorScheme = createStore<ColorScheme>(kept())

/** `light` or `dark`, following the system while the choice is `auto`. */
export const drawnScheme = createStore<'light' | 'dark'>(drawn())

export function chooseColorScheme(choice: ColorScheme) {
  localStorage.setItem(KEPT_AS, choice)
  colorScheme.set(choice)
}

/** Puts the theme on the page and keeps it there. */
export function startColorScheme() {
  colorScheme.subscribe(apply)
  prefersDark.addEventListener('change', apply)
  apply()
}

function apply() {
  drawnScheme.set(drawn())
  document.documentElement.dataset.mantineColorScheme = drawnScheme.get()
}

function drawn() {
  const choice = colorScheme.get()
  return choice === 'auto' ? (prefersDark.matches ? 'dark' : 'light') : choice
}

function kept(): ColorScheme {
  const value = localStorage.getItem(KEPT_AS)
  return value === 'light' || value === 'dark' ? value : 'auto'
}
