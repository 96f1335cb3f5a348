import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Which area may import which others; each may import itself. */
const mayImport: Record<string, string[]> = {
  shared: [],
  sandbox: [],
  web: ['shared'],
  server: ['shared'],
  cli: ['shared', 'server'],
}

/** The same inside the server and the web client, by folder. */
const mayImportWithin: Record<string, string[]> = {
  'server/db': ['server/table'],
  // What it names of pdf and rendering are types, of what may be printed or drawn; of files, how storage
  // fails.
  'server/http': ['server/db', 'server/files', 'server/pdf', 'server/rendering'],
  'server/rendering': [],
  'server/files': ['server/db'],
  'server/pdf': [],
  'server/link-check': [],
  'server/connectors': [],
  'server/table': ['server/connectors'],
  'server/sheets': ['server/table'],
  'server/admission': ['server/db', 'server/connectors', 'server/sheets'],
  'server/fetches': ['server/db', 'server/connectors'],
  'server/queue': ['server/db', 'server/admission'],
  'web/visit': [],
  'web/i18n': ['web/visit'],
  'web/ui': ['web/i18n', 'web/visit'],
  'web/client': ['web/i18n', 'web/visit'],
  'web/pages': ['web/ui', 'web/client', 'web/i18n', 'web/visit'],
}

/** The resources from the ground up; what one triggers in a higher one it is given by app.ts. */
const storeys: string[][] = [
  ['audit', 'notifications', 'people', 'second-factor', 'session'],
  [
    'ad-accounts',
    'advertisers',
    'agents',
    'businesses',
    'catalogue',
    'filter-values',
    'folders',
    'industries',
    'insight-settings',
    'issuer',
    'payments',
    'public-accounts',
    'publishers',
    'search',
    'sites',
    'spend',
    'ua-archive',
  ],
  [
    'audiences',
    'bulk-operations',
    'ec-spend',
    'files',
    'images',
    'instructions',
    'links',
    'materials',
    'quotations',
    'reports',
    'sheets',
    'spreadsheets',
    'support',
    'target-audiences',
    'transfers',
  ],
  ['runs'],
  ['demo', 'events', 'executions', 'operations', 'overview', 'preview', 'schedule-load', 'targets'],
]

/** A statement, by the query builder or by hand. */
const SQL = /\bsql(<[^`]*>)?`|\.(selectFrom|insertInto|updateTable|deleteFrom)\(/

const storeyOf = (resource: string) => storeys.findIndex(storey => storey.includes(resource))

function importsBetweenResources() {
  return sourceFiles('server/resources').flatMap(file => {
    const from = file.split('/')[3] ?? ''
    return importsOf(file)
      .filter(path => path.startsWith('server/resources/'))
      .map(path => path.split('/')[2] ?? '')
      .filter(to => to !== from)
      .map(to => ({ file, from, to }))
  })
}

const sourceFiles = (folder: string) =>
  readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter(file => /\.tsx?$/.test(file) && !/\.test\.tsx?$|(^|\/)testing\//.test(file))
    .map(file => join('src', folder, file))

/** Paths under `src` that the file imports, types included. */
function importsOf(file: string): string[] {
  return specifiersOf(file).flatMap(specifier => {
    if (specifier.startsWith('#')) return [specifier.slice(1)]
    if (specifier.startsWith('.')) return [relative(join(root, 'src'), join(root, dirname(file), specifier))]
    return []
  })
}

function specifiersOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(match => match[1] ?? '')
}

/** The files of a connector: each has its purpose in ARCHITECTURE.md. */
const CONNECTOR_FILES = new Set(
  `accounts actions audiences audience-calls client columns connect failures fields filters jobs merge notes pages query quotas ranges report schema`
    .split(' ')
    .map(name => `${name}.ts`),
)
/** What only one platform has. */
const PLATFORM_FILES = [
  'google-ads/audience-status.ts',
  'google-ads/data-manager-schema.ts',
  'google-ads/data-manager.ts',
  'google-ads/gaql.ts',
  'google-ads/refusal.ts',
  'google-ads/user-lists.ts',
  'line/amounts.ts',
  'line/file.ts',
  'line/header.ts',
  'line/online.ts',
  'line/signature.ts',
  'line/table.ts',
  'line/tables.ts',
  'meta/audience-access.ts',
  'meta/audience-changes.ts',
  'meta/audience-kinds.ts',
  'meta/audience-status.ts',
  'meta/audience-uploads.ts',
  'meta/businesses.ts',
  'meta/strategy.ts',
  'tiktok/synchronous.ts',
  'universal-analytics/archive.ts',
  'yahoo/ly/reach.ts',
  'yahoo/table.ts',
]

/** Where programs, pages and tools begin. */
const ENTRIES = [
  'src/cli/sheetcast.ts',
  'src/sandbox/main.ts',
  'src/web/main.tsx',
  'src/web/first-paint.ts',
  'src/web/render-page.tsx',
  'scripts/schema.ts',
]

/** Files that the text of a file names, as an import or as the program of a process or thread. */
const pathsIn = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/'(#|\.\.?\/)?([\w./-]+\.tsx?)(?:\?[\w&]+)?'/g)].map(
    ([, start = '', path = '']) =>
      start === '#' ? `src/${path}` : relative(root, join(root, dirname(file), start, path)),
  )

const areaOf = (path: string) => path.split('/')[0] ?? ''
const folderOf = (path: string) => path.split('/').slice(0, 2).join('/')

describe('imports point one way', () => {
  for (const [area, allowed] of Object.entries(mayImport)) {
    test(`${area} imports only ${[area, ...allowed].join(', ')}`, () => {
      const forbidden = sourceFiles(area).flatMap(file =>
        importsOf(file)
          .filter(to => ![area, ...allowed].includes(areaOf(to)))
          .map(to => `${file} -> ${to}`),
      )
      expect(forbidden).toEqual([])
    })
  }

  for (const [folder, allowed] of Object.entries(mayImportWithin)) {
    test(`${folder} imports only ${['itself', ...allowed].join(', ')} of its area`, () => {
      const forbidden = sourceFiles(folder).flatMap(file =>
        importsOf(file)
          .filter(to => areaOf(to) === areaOf(folder) && to.split('/').length > 2)
          .filter(to => ![folder, ...allowed].includes(folderOf(to)))
          .map(to => `${file} -> ${to}`),
      )
      expect(forbidden).toEqual([])
    })
  }

  test('the table engine is pure: of the rest it knows the contract of connectors and their pages, and nothing outside the program', () => {
    const outside = sourceFiles('server/table').flatMap(file =>
      specifiersOf(file)
        .filter(
          to =>
            !/^(\.\/|#shared\/|#server\/connectors\/(connector|page-rows|text-column)\.ts$|zod$)/.test(to),
        )
        .map(to => `${file} -> ${to}`),
    )
    expect(outside).toEqual([])
  })

  test('a resource imports of its own storey and of lower ones', () => {
    const upwards = importsBetweenResources().flatMap(({ file, from, to }) =>
      storeyOf(to) > storeyOf(from) ? [`${file} -> ${to}`] : [],
    )
    expect(upwards).toEqual([])
  })

  test('no resource reaches itself through others', () => {
    const imported = Map.groupBy(importsBetweenResources(), ({ from }) => from)
    const reachedFrom = (resource: string) => {
      const reached = new Set<string>()
      const add = (next: string) =>
        imported.get(next)?.forEach(({ to }) => {
          if (reached.has(to)) return
          reached.add(to)
          add(to)
        })
      add(resource)
      return reached
    }
    expect(storeys.flat().filter(resource => reachedFrom(resource).has(resource))).toEqual([])
  })

  test('every resource stands on one storey', () => {
    const resources = new Set(sourceFiles('server/resources').map(file => file.split('/')[3]))
    expect(storeys.flat().toSorted()).toEqual([...resources].toSorted())
  })

  test('the SQL of a resource stands in its queries', () => {
    const elsewhere = sourceFiles('server/resources').filter(
      file => !/\bqueries\.ts$/.test(file) && SQL.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(elsewhere).toEqual([])
  })

  test('a resource imports of another one its queries or rules, never its routes', () => {
    const forbidden = sourceFiles('server/resources').flatMap(file => {
      const own = file.split('/')[3]
      return importsOf(file)
        .filter(to => to.startsWith('server/resources/') && to.split('/')[2] !== own)
        .filter(to => /\broutes\.ts$/.test(to))
        .map(to => `${file} -> ${to}`)
    })
    expect(forbidden).toEqual([])
  })
})

describe('what only tests need', () => {
  test('stands in a folder named testing, which the product imports nothing of', () => {
    const imported = Object.keys(mayImport).flatMap(area =>
      sourceFiles(area).flatMap(file =>
        importsOf(file)
          .filter(to => to.includes('/testing/'))
          .map(to => `${file} -> ${to}`),
      ),
    )
    expect(imported).toEqual([])
  })

  test('is nothing outside of these folders', () => {
    // The gallery shows widgets; it is no use of one.
    const production = new Set(
      Object.keys(mayImport)
        .flatMap(sourceFiles)
        .filter(file => !file.startsWith('src/web/gallery/')),
    )
    const reached = new Set(ENTRIES)
    for (const file of reached) for (const path of pathsIn(file)) if (production.has(path)) reached.add(path)
    const unreached = [...production].filter(file => !reached.has(file) && !file.endsWith('.d.ts'))
    expect(unreached).toEqual([])
  })
})

describe('the layout', () => {
  describe('of connectors', () => {
    const room = join(root, 'src/server/connectors')
    const platforms = readdirSync(room, { withFileTypes: true })
      .filter(entry => entry.isDirectory() && !['kit', 'testing'].includes(entry.name))
      .map(entry => entry.name)

    test('is four files at every platform', () => {
      expect(platforms.length).toBeGreaterThan(0)
      for (const platform of platforms)
        expect(readdirSync(join(room, platform))).toEqual(
          expect.arrayContaining(['client.ts', 'fields.ts', 'report.ts', 'schema.ts']),
        )
    })

    test('is files of the same name for the same purpose, and few that only one platform needs', () => {
      const others = platforms.flatMap(platform =>
        readdirSync(join(room, platform), { recursive: true, encoding: 'utf8' })
          .filter(file => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
          .filter(file => !CONNECTOR_FILES.has(file.replace(/^.*\//, '')))
          .map(file => `${platform}/${file}`),
      )
      expect(others.toSorted()).toEqual(PLATFORM_FILES)
    })
  })

  test('every file that CONTRIBUTING.md sends people to exists', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    const named = [...text.matchAll(/`((?:src|scripts)\/[\w./-]+\.\w+)`/g)].map(match => match[1] ?? '')
    expect(named.length).toBeGreaterThan(14)
    expect(named.filter(file => !existsSync(join(root, file)))).toEqual([])
  })

  test('ARCHITECTURE.md names every folder down to the second level, and each that it names exists', () => {
    const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
    const named = [...text.matchAll(/`(src\/[\w/-]+)\/`/g)].map(match => match[1] ?? '')
    for (const folder of named) expect(existsSync(join(root, folder)), folder).toBe(true)
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .flatMap(({ name }) => [
        `src/${name}`,
        ...readdirSync(join(root, 'src', name), { withFileTypes: true })
          .filter(entry => entry.isDirectory() && entry.name !== 'testing')
          .map(entry => `src/${name}/${entry.name}`),
      ])
    expect(folders.filter(folder => !named.includes(folder))).toEqual([])
  })
})
