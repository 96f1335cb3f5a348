import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { colorNames, theme } from './src/web/app/theme.ts'

/** Where `npm run dev` runs the server; its address for everything that is not a page. */
const server = process.env.SHEETCAST_DEV_SERVER ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('./src/web', import.meta.url)),
  plugins: [react(), themeVariables()],
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A small file inlined as a data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // Every page needs these: as two files they compress better than as fifty.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|scheduler|@tanstack|use-sync-external-store)[\\/]/,
            },
            {
              name: 'app',
              test: /src[\\/](web[\\/](app|i18n)[\\/](?!(download|navigation-drawer|later-problem|en|en-first|zh-TW|zh-TW-first)\.)[\w-]+\.tsx?$|shared[\\/](language|access|redirect|session-cookies)\.ts$)/,
              minShareCount: 2,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(['/api', '/users', '/healthz', '/readyz'].map(path => [path, server])),
  },
})

/**
 * `virtual:theme.css`: the theme's variables as a style sheet. Mantine would write them into a style element at run time, which a content
 * security policy without `unsafe-inline` forbids.
 */
function themeVariables(): Plugin {
  const id = 'virtual:theme.css'
  return {
    name: 'theme-variables',
    resolveId: source => (source === id ? `\0${id}` : undefined),
    load: source => (source === `\0${id}` ? themeCss() : undefined),
  }
}

function themeCss() {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme)
  const unused = Object.keys(DEFAULT_THEME.colors).filter(name => !colorNames.some(used => used === name))
  const isUnused = (variable: string) => unused.some(name => variable.startsWith(`--mantine-color-${name}-`))
  const { variables, light, dark } = defaultCssVariablesResolver(merged)
  const kept = (all: Record<string, string>) =>
    Object.fromEntries(Object.entries(all).filter(([variable]) => !isUnused(variable)))
  return convertCssVariables(
    {
      variables: kept(variables),
      light: { ...kept(light), '--mantine-color-scheme': 'light' },
      dark: { ...kept(dark), '--mantine-color-scheme': 'dark' },
    },
    ':root',
  )
}
