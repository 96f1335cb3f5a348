import {
  convertCssVariables,
  DEFAULT_THEME,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core'
import react from '@vitejs/plugin-react'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { colorNames, theme } from './src/web/app/theme.ts'

const packageVersion = (): unknown =>
  Object(JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'))).version

/** Where `npm run dev` runs the server; its address for everything that is not a page. */
const server = process.env.SHEETCAST_DEV_SERVER ?? 'http://127.0.0.1:3000'

/** The interface's sources. */
const web = (file: string) => fileURLToPath(new URL(`./src/web/${file}`, import.meta.url))

export default defineConfig(({ isSsrBuild }) => ({
  root: web(''),
  plugins: [react(), themeVariables(), themeColors(), unusedParts()],
  // React has had this hook of its own since version 18.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] },
  define: { 'import.meta.env.VITE_VERSION': JSON.stringify(packageVersion()) },
  build: {
    outDir: fileURLToPath(new URL('./dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2023',
    // A small file inlined as a data: address would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    ...(!isSsrBuild && {
      rolldownOptions: {
        input: [web('index.html'), web('first-paint.ts')],
        output: {
          codeSplitting: { includeDependenciesRecursively: false, groups: chunks() },
        },
      },
    }),
  },
  // The server has the interface's libraries in one piece with it, as browsers do.
  ssr: { noExternal: true },
  // A thread is one file: its policy lets it load nothing (server/http/headers.ts).
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  server: {
    proxy: Object.fromEntries(['/api', '/users', '/healthz', '/readyz'].map(path => [path, server])),
  },
}))

/**
 * The chunks; the first group that a module fits takes it, and what fits none is split by its users. A few
 * files instead of eighty save the first page 8 kB of 150, gzip: they compress better, and it carries the
 * name of every file that any page may request.
 */
function chunks() {
  // The parts of Mantine's core that only lists, menus and dialogs use.
  const unused = [
    'DirectionProvider/',
    'MantineProvider/color-functions/get-(auto-contrast-value|contrast-color)/',
    'utils/(close-on-escape|create-event-handler|create-safe-context|create-scoped-keydown-handler|find-element-ancestor)/',
    'utils/(find-element-in-shadow-dom|get-context-item-index|get-default-z-index|get-env|get-ref-prop)/',
    'utils/(get-single-element-child|is-element|noop|primitive)/',
  ].join('|')
  return [
    {
      // Loaded before anything is drawn: what every page needs, without the hooks that only the editor and
      // the lists use.
      name: 'first',
      test: oneOf(
        'node_modules/(react|react-dom|scheduler|use-sync-external-store|clsx)/',
        'node_modules/@tanstack/(?!.*/(useBlocker|useMutationState|useQueries|queriesObserver|useInfiniteQuery|infiniteQueryObserver)\\.)',
        `@mantine/core/esm/core/(?!${unused})`,
        '@mantine/core/esm/components/(ActionIcon|Button|Loader|Skeleton|Transition|UnstyledButton)/',
        '@mantine/hooks/esm/use-(did-update|media-query|reduced-motion)/',
        '@tabler/icons-react/dist/esm/(createReactComponent|defaultAttributes)',
        'icons/Icon(AlertTriangle|CircleCheck|CloudOff|DeviceDesktop|Language|Moon|Sun)\\.',
        'vite/preload-helper',
        'src/shared/(access|account-statuses|cookies|channels/ids|drawn-page|language|materials/(publishers|sites)|person-name|redirect|session-cookies|specialist)\\.',
        // theme.css must stay behind the variables that it changes; the bell comes after the page.
        'src/web/app/(?!theme\\.css|bell/|help/|palette/|(breadcrumb|header|inner-pages|issue-area|may-open|menu|navigation|navigation-drawer|shell|sidebar|styles|user-menu)\\.)',
        'src/web/client/(?!(click-key|download|event-stream|failure-text|issues|list-pages|live|local-drafts|optional|page-idle|sign-out|upload|use-reload)\\.)',
        'src/web/i18n/(i18n|per-language|translate|use-translation)\\.',
        'src/web/visit/',
        'src/web/pages/(not-found|overview/overview-query|(audiences|audit|businesses|customers|ec-spend|insight-settings|links|materials(/\\w+)?|orders|overview|payments|reports|support|target-audiences|users)/search)\\.',
        'src/web/ui/(initials|last-focused|lazy-problem|logo|menu-button|message-page|page-loading|switches)\\.',
      ),
    },
    {
      // What signing in needs besides: its frame, and fields of forms.
      name: 'fields',
      test: oneOf(
        '@mantine/core/esm/components/(CloseButton|Input|InputBase|PasswordInput|TextInput)/',
        '@mantine/hooks/esm/(use-id|use-isomorphic-effect|use-uncontrolled|utils/random-id)/',
        'icons/Icon(CircleX|InfoCircle)\\.',
        'src/web/pages/entry-page\\.',
        'src/web/ui/(inline-alert|password-field|text-field)\\.',
      ),
    },
    {
      // What the overview needs besides: the frame around every page behind the sign-in.
      name: 'frame',
      test: oneOf(
        '@mantine/core/esm/components/VisuallyHidden/',
        'icons/Icon(Activity|AddressBook|Adjustments|Bell|Briefcase|BuildingCommunity|BuildingStore|CalendarTime|Category|ChartBar|ChevronDown|Circle|Coins|Files|HelpCircle|Home|Lifebuoy|Link|Loader2|Logout|Mailbox|Photo|PlugConnected|Refresh|ReportAnalytics|Search|Speakerphone|Table|TargetArrow|User|Users|WorldWww)\\.',
        'src/shared/(errors|error-texts|gap-names|instructions|time-zone)\\.',
        'src/web/app/(menu|navigation|palette/recent|sidebar\\.module)\\.',
        'src/web/client/(optional|page-idle|sign-out)\\.',
        'src/web/pages/part-error\\.',
        'src/web/ui/(card|empty-state|escape|page-header|problem-text|relative-time|times)\\.',
      ),
    },
    {
      // The help menu is on every page and needs nothing else of the widgets.
      name: 'help-icons',
      test: oneOf('icons/Icon(FileDescription|Key|Keyboard|ListDetails|Share|Sparkles)\\.'),
    },
    // One file instead of five with a few words each.
    { name: 'en-first', test: oneOf('src/web/i18n/en(-first|/(app|errors|overview|sign-in|ui))\\.') },
    { name: 'zh-TW-first', test: oneOf('src/web/i18n/zh-TW(-first|/(app|errors|overview|sign-in|ui))\\.') },
    {
      // It includes the catalogues: by itself, lest it be put beside the styles of a widget that all lists
      // load.
      name: 'reasons',
      test: oneOf('src/web/pages/reports/editor/reason-text\\.'),
    },
    {
      // One file instead of six small ones, each of which names the others.
      name: 'overview',
      test: oneOf(
        'src/web/pages/overview/(agency|attention-card|attention-lines|data|overview|overview-loading|report-state|state-text|tiles)\\.',
      ),
    },
    // Of the overview and of lists, without the widgets of the latter.
    { name: 'zone-text', test: oneOf('src/web/ui/zone-text\\.') },
    {
      // What it shows below the fold.
      name: 'overview-later',
      test: oneOf(
        'src/web/pages/overview/(agency-later|lazy-spend|orders-strip|report-lines|spend-periods|spend-query|unknown-zone)\\.',
        'src/web/pages/reports/bulk-changes/ending-strip\\.',
        'src/web/ui/chart/lazy-chart\\.',
      ),
    },
    {
      // Calendars load when one is opened, however many fields have them.
      name: 'calendar',
      test: oneOf('node_modules/(@mantine/dates|dayjs)/', 'src/web/ui/calendar\\.'),
    },
    {
      // The styles of calendars, which their fields need at once.
      name: 'calendar-looks',
      test: oneOf('src/web/ui/date-range-field\\.module'),
    },
    {
      // The queries of the list, without anything that draws: they are sent before those files are here.
      name: 'list-early',
      test: oneOf(
        'src/web/pages/reports/list/(prefetch|data|view)\\.',
        'src/web/client/(download|list-pages|use-reload)\\.',
      ),
    },
    {
      // Styles of widgets: nearly every page behind the first ones has most of them, and ten small files are
      // ten requests.
      name: 'widget-looks',
      test: oneOf(
        '@mantine/core/styles/(Checkbox|Combobox|FloatingIndicator|InlineInput|Menu|Modal|ModalBase|Overlay|Pill|PillsInput|Popover|ScrollArea|SegmentedControl)\\.',
      ),
    },
    {
      // Fields for numbers bring a formatter along, which lists do not need.
      name: 'number-field',
      test: oneOf('node_modules/react-number-format/', '@mantine/core/esm/components/NumberInput/'),
    },
    {
      // Fields of the pages of customers, insertion orders and spending.
      name: 'money-fields',
      test: oneOf(
        'src/shared/billing/step\\.',
        'src/web/ui/(contact-list|currency-field|money|money-input|month|month-picker|rate|rate-input|terms-input)\\.',
      ),
    },
    {
      // Lists, menus and dialogs of the pages behind it.
      name: 'widgets',
      test: oneOf(
        'node_modules/(@floating-ui|@mantine/.*/esm|@tabler|react-remove-scroll|react-remove-scroll-bar)/',
        'src/web/ui/(?!(chosen-files|date-time-\\w+|file-\\w+|problem|problem-text|toast)\\.|chart/)',
      ),
      minShareCount: 2,
    },
    {
      // What the list, the editor and the history of reports share, without what the overview uses as well:
      // one file instead of many small ones.
      name: 'reports',
      test: oneOf(
        'src/web/pages/reports/(channel-icon|gap-chips|schedule-text|spreadsheet-link)\\.',
        'src/web/pages/reports/list/(folder-order|undo-plan|use-bulk)\\.',
        'src/web/pages/(csv-button|list-card|use-list-page)\\.',
        'src/shared/(schedule|spreadsheet-url)\\.',
        'src/web/pages/reports/runs/(duration|meter|row-progress|run-badge|run-state)\\.',
      ),
    },
  ]
}

/** Patterns of paths, written with slashes also for systems that have others. */
function oneOf(...paths: string[]) {
  return new RegExp(paths.join('|').replaceAll('/', '[\\\\/]'))
}

/**
 * `virtual:theme.css`: the theme's variables as a style sheet. Mantine would write them into a style element
 * at run time, which a content security policy without `unsafe-inline` forbids.
 */
function themeVariables(): Plugin {
  const id = 'virtual:theme.css'
  return {
    name: 'theme-variables',
    resolveId: source => (source === id ? `\0${id}` : undefined),
    load: source => (source === `\0${id}` ? themeCss() : undefined),
  }
}

/** Mantine's colours without those that the interface does not use: a hundred of them are 0.6 kB, gzip. */
function themeColors(): Plugin {
  const colors = Object.fromEntries(colorNames.map(name => [name, DEFAULT_THEME.colors[name]]))
  return {
    name: 'theme-colors',
    transform: (_, id) =>
      /MantineProvider[\\/]default-colors\.mjs$/.test(id)
        ? { code: `export const DEFAULT_COLORS = ${JSON.stringify(colors)}`, map: null }
        : null,
  }
}

/** Two parts of Mantine's buttons that the interface has nowhere: on the first page they are 0.3 kB, gzip. */
function unusedParts(): Plugin {
  return {
    name: 'unused-parts',
    transform(_, id) {
      const part = /[\\/](ButtonGroupSection|ActionIconGroupSection)\.mjs$/.exec(id)?.[1]
      return part === undefined ? null : { code: `export const ${part} = undefined`, map: null }
    },
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
