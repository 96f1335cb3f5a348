import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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
    const given = 'postgres://sheetcast:secret@database:5432/sheetcast'
    for (const name of ['web', 'worker']) {
      const { environment = {} } = services[name] ?? {}
      const filled = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filledIn(key, value)]),
      )
      const config = readConfig({ ...filled, DATABASE_URL: given })
      expect(config, name).toHaveProperty('config')
      for (const key of Object.keys(environment))
        expect(Object.keys('config' in config ? config.config : {}), key).toContain(key.toLowerCase())
    }
  })

  it('build from files and run commands that are there', () => {
    const copied = ['package.json', 'package-lock.json', 'scripts/build-web.ts', 'src/cli/sheetcast.ts']
    for (const file of copied) {
      expect(read('Containerfile')).toContain(file)
      expect(existsSync(join(root, file)), file).toBe(true)
    }
    expect(services.worker?.command).toEqual(['worker'])
  })
})

/** `${NAME:-default}` is the default; `${NAME:?hint}` something that fits. */
function filledIn(key: string, value: string): string {
  const fitting: Record<string, string> = {
    PUBLIC_URL: 'https://reports.agency.example',
    CREDENTIAL_KEYS: Buffer.alloc(32).toString('base64'),
  }
  return fitting[key] ?? value.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
}
