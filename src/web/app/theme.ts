import { createTheme, type MantineColorsTuple } from '@mantine/core'
import type { FocusEvent } from 'react'

/** A quiet blue: the one accent. Shade 7 carries white text at 6.6 : 1. */
const accent: MantineColorsTuple = [
  '#eef3ff',
  '#dde6fd',
  '#b9cbf8',
  '#92adf2',
  '#7092ec',
  '#587fe6',
  '#416bdc',
  '#2f55c8',
  '#2848ab',
  '#1f3a8c',
]

/** Shade 4 outlines fields: 3 : 1 on the surface, as does shade 4 of the dark ones. */
const gray: MantineColorsTuple = [
  '#f7f8fa',
  '#f0f2f5',
  '#e4e7ec',
  '#d3d8e0',
  '#8b95a4',
  '#78828f',
  '#626d7d',
  '#465060',
  '#2c3440',
  '#181d26',
]

const dark: MantineColorsTuple = [
  '#e2e5ea',
  '#b9bfc9',
  '#949ba8',
  '#6b7280',
  '#626a77',
  '#2d323c',
  '#22262e',
  '#1b1e25',
  '#14171c',
  '#0e1014',
]

/** Dark enough in both schemes for white words on it (4.5 : 1), which Mantine's own is not. */
const red: MantineColorsTuple = [
  '#fff0f0',
  '#fcdcdc',
  '#f7b5b5',
  '#f28b8b',
  '#ec6767',
  '#e04848',
  '#cf3030',
  '#c22f2f',
  '#a92525',
  '#8f1d1d',
]

/** The head of a dialog is a header element, which would count as a second banner of the page. */
const attributes = { header: { role: 'presentation' } }

const dialogTitle = { fontSize: '16px', fontWeight: 620, lineHeight: 1.35 }

/** The colours that the interface uses; variables of the others are not shipped. */
export const colorNames = ['accent', 'gray', 'dark', 'red', 'green', 'orange'] as const

/**
 * The one theme file: its variables are written to a style sheet when the web part is built (vite.config.ts),
 * so that no style element is made at run time and the content security policy can forbid them.
 */
export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '20px', xl: '28px' },
  fontFamily:
    'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans TC", "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Noto Sans Mono CJK TC", monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.5', xl: '1.4' },
  headings: { fontWeight: '620' },
  shadows: {
    xs: '0 1px 2px rgb(16 24 40 / 6%)',
    sm: '0 1px 3px rgb(16 24 40 / 8%), 0 1px 2px rgb(16 24 40 / 4%)',
    md: '0 4px 12px rgb(16 24 40 / 10%), 0 1px 3px rgb(16 24 40 / 6%)',
    lg: '0 10px 28px rgb(16 24 40 / 14%), 0 2px 6px rgb(16 24 40 / 6%)',
    xl: '0 20px 48px rgb(16 24 40 / 18%)',
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // Locking the scroll would write a style element. Nothing is lost: behind a dialog it is not the document
    // that scrolls (shell.module.css).
    // Escape closes the innermost thing alone (ui/escape.ts).
    Modal: {
      defaultProps: {
        closeOnEscape: false,
        lockScroll: false,
        transitionProps: { duration: 120 },
        radius: 'md',
        attributes,
      },
      styles: { title: dialogTitle },
    },
    Drawer: {
      defaultProps: {
        closeOnEscape: false,
        lockScroll: false,
        transitionProps: { duration: 140 },
        attributes,
      },
      styles: { title: dialogTitle },
    },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    // The first entry has the focus at once, as with menus elsewhere.
    Menu: {
      defaultProps: { transitionProps: { duration: 80 }, shadow: 'md', withInitialFocusPlaceholder: false },
    },
    MenuDropdown: { defaultProps: { onFocus: keepMenuFocus } },
    Tooltip: { defaultProps: { transitionProps: { duration: 80 }, openDelay: 350, withArrow: false } },
    Combobox: { defaultProps: { shadow: 'md' } },
    Button: {
      defaultProps: { size: 'sm' },
      // Mantine's smallest is 22 px high; under 24 px it is too small to hit (WCAG 2.5.8).
      vars: (_: unknown, { size }: { size?: unknown }) => ({
        root: size === 'compact-xs' ? { '--button-height': '24px' } : {},
      }),
    },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
  },
})

/**
 * Mantine focuses the first entry twice when it opens a menu; on a busy page the second time comes after
 * the first key, and Enter would then choose another entry than the person's. It focuses what is marked,
 * so the mark follows the focus.
 */
function keepMenuFocus({ currentTarget, target }: FocusEvent<HTMLElement>) {
  currentTarget.querySelector('[data-autofocus]')?.removeAttribute('data-autofocus')
  target.setAttribute('data-autofocus', 'true')
}
