import { MantineContext, MantineThemeProvider } from '@mantine/core'
import { cleanup, configure, render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { onTestFinished, vi } from 'vitest'
import { theme } from '#web/app/theme.ts'
import { loadBusinessTexts, loadEditorTexts, loadInnerTexts, startI18n } from '#web/i18n/i18n.ts'

// Waiting has the same limits as in all tests (vitest.config.ts). Files of one process share this module:
// what has to be done for each test is done by `draw`, not by a hook.
configure({ asyncUtilTimeout: 120_000 })
await startI18n()
await Promise.all([loadInnerTexts(), loadBusinessTexts(), loadEditorTexts()])

/**
 * Draws a widget in English, with the theme of the pages, where nothing moves; it is gone when the test is
 * over.
 */
export function draw(widget: ReactNode) {
  const forgetTimers = watchTimers()
  onTestFinished(() => {
    cleanup()
    forgetTimers()
  })
  return render(widget, { wrapper: Page })
}

/**
 * Timers that a widget has left are cleared: the page may be gone by then, and the next file in this process
 * has none. Fake timers end by themselves.
 */
function watchTimers() {
  if (vi.isFakeTimers()) return () => {}
  const timers = vi.spyOn(globalThis, 'setTimeout')
  return () => {
    const begun = timers.mock.results.map(({ value }) => value)
    timers.mockRestore()
    for (const timer of begun) clearTimeout(timer)
  }
}

function Page({ children }: { children: ReactNode }) {
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}

const nothing = () => {}
const context = {
  colorScheme: 'light' as const,
  setColorScheme: nothing,
  clearColorScheme: nothing,
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: false,
  /** Nothing fades in or out. */
  env: 'test' as const,
}
