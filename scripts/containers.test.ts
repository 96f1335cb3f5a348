import { default as dockerignore } from '@balena/dockerignore'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '#server/config.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

const Compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({ environment: z.record(z.string(), z.string()), command: z.array(z.string()).optional() }),
  ),
})
const { services } = Compose.parse(parse(read('compose.yaml'), { merge: true }))

describe('the containers', () => {
  it('are started with settings that exist and are well formed', () => {
    const url = 'postgres://sheetcast:secret@database:5432/sheetcast'
    for (const name of ['web', 'worker']) {
      const { environment = {} } = services[name] ?? {}
      const filled = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filledIn(key, value)]),
      )
      const config = readConfig({ ...filled, DATABASE_URL: url })
      expect(config, name).toHaveProperty('config')
      for (const key of Object.keys(environment))
        expect(Object.keys('config' in config ? config.config : {}), key).toContain(key.toLowerCase())
    }
  })

  it('build from files and run commands that are there', () => {
    for (const file of [
      'package.json',
      'package-lock.json',
      'scripts/build-web.ts',
      'src/cli/sheetcast.ts',
    ]) {
      expect(read('Containerfile')).toContain(file)
      expect(existsSync(join(root, file)), file).toBe(true)
    }
    expect(services.worker?.command).toEqual(['worker'])
  })
})

describe('an image', () => {
  it('is built without anything secret that lies about in the checkout', () => {
    const included = copied([...checkout, ...planted])
    expect(planted.filter(file => included.includes(file))).toEqual([])
  })

  it('has everything that the build and the product need', () => {
    const needed = checkout.filter(
      file =>
        /^(src|db|scripts)\//.test(file) &&
        !/\.test\.tsx?$/.test(file) &&
        !file.startsWith('src/web/gallery/'),
    )
    const included = copied([...checkout, ...planted])
    expect(needed.length).toBeGreaterThan(1000)
    expect(needed.filter(file => !included.includes(file))).toEqual([])
    for (const file of ['package.json', 'package-lock.json', 'vite.config.ts', 'LICENSE'])
      expect(included).toContain(file)
  })

  it('leaves out the same files whichever program builds it', () => {
    expect(read('.containerignore')).toBe(read('.dockerignore'))
  })
})

/** What must not be in an image, at the top and deep within what is copied. */
const planted = ['', 'src/', 'src/server/', 'scripts/', 'db/', 'db/migrations/'].flatMap(folder =>
  [
    '.env',
    '.env.production',
    '.npmrc',
    '.netrc',
    '.aws/credentials',
    '.ssh/id_ed25519',
    '.git/config',
    'secrets/service-account.json',
    'service-account-2.json',
    'client_credentials.json',
    'credential.key',
    'tls/private.key',
    'tls/fullchain.pem',
    'agency.p12',
    'agency.pfx',
    'id_rsa',
    'data/credential.key',
    'data/postgres/sheetcast.password',
    'data/postgres/base/16384/1259',
    'backups/2026-11-22.tar.gz',
    'backup.tar.gz',
    'sheetcast.dump',
    'export.sql.gz',
    'settings.bak',
    'postgres.log',
    'coverage/lcov.info',
    'node_modules/pg/package.json',
    'core.4711',
    'before.heapsnapshot',
  ].map(file => folder + file),
)

const checkout = filesIn('')

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap(entry => {
    const path = posix.join(folder, entry.name)
    if (['node_modules', '.git', 'dist', 'data'].includes(entry.name)) return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

/** Those of the files that the COPY lines of the Containerfile take from outside, under Docker's rules. */
function copied(files: readonly string[]): string[] {
  const sources = [...read('Containerfile').matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
    ([, named = '']) => named.split(' '),
  )
  expect(sources).toContain('.')
  const context = dockerignore
    .default()
    .add(read('.dockerignore'))
    .filter([...files])
  return context.filter(file => sources.some(source => source === '.' || source === file))
}

/** `${NAME:-default}` is the default; `${NAME:?hint}` something that fits. */
function filledIn(key: string, value: string): string {
  const fitting: Record<string, string> = {
    PUBLIC_URL: 'https://reports.agency.example',
    CREDENTIAL_KEYS: Buffer.alloc(32).toString('base64'),
  }
  return fitting[key] ?? value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
}
