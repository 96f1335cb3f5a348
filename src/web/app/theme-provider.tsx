import { MantineContext, MantineThemeProvider } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { drawnScheme } from '#web/client/color-scheme.ts'
import { useStore } from '#web/client/store.ts'
import { theme } from './theme.ts'

/**
 * What Mantine's components need from their provider. Replaces MantineProvider, which would write the theme's
 * variables into a style element at run time: ours are in a style sheet (vite.config.ts), and color-scheme.ts
 * marks the page as light or dark.
 */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const colorScheme = useStore(drawnScheme)
  const context = useMemo(
    () => ({
      colorScheme,
      setColorScheme: unused,
      clearColorScheme: unused,
      getRootElement: () => document.documentElement,
      classNamesPrefix: 'mantine',
      cssVariablesSelector: ':root',
      withStaticClasses: false,
    }),
    [colorScheme],
  )
  return (
    <MantineContext value={context}>
      <MantineThemeProvider theme={theme}>{children}</MantineThemeProvider>
    </MantineContext>
  )
}

/** color-scheme.ts decides. */
const unused = () => {}
