import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { licencesPage, lockedPackages } from './dependencies.ts'

const root = join(import.meta.dirname, '..')
const packages = await lockedPackages()
const manifest = z
  .object({
    dependencies: z.record(z.string(), z.string()),
    devDependencies: z.record(z.string(), z.string()),
    allowScripts: z.record(z.string(), z.literal(true)),
  })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
const npmrc = readFileSync(join(root, '.npmrc'), 'utf8').split('\n')

/**
 * Licences that may be used and redistributed beside MIT code. MPL, OFL and LGPL: unchanged files, as we use
 * them; libvips is a library of its own that sharp loads, and that anybody can replace.
 */
const LICENCES = [
  '(MIT OR Apache-2.0)',
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]
/** Say something else in their package.json than an id of SPDX; read by hand. */
const READ_BY_HAND: Record<string, string> = { 'url-template@2.0.8': 'BSD' }

describe('every package', () => {
  it('is pinned: a version and a SHA-512, from a registry and nowhere else', () => {
    const loose = packages.filter(
      ({ version, integrity = '', resolved, link }) =>
        !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version) ||
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
        resolved !== undefined ||
        link === true,
    )
    expect(packages.length).toBeGreaterThan(400)
    expect(loose.map(({ path }) => path)).toEqual([])
  })

  it('of ours is required in one version', () => {
    const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies })
    expect(ranges.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))).toEqual([])
  })

  it('runs nothing when it is installed, but for those that are listed', () => {
    const withScript = packages.filter(one => one.hasInstallScript).map(({ name }) => name)
    expect(Object.keys(manifest.allowScripts).toSorted()).toEqual([...new Set(withScript)].toSorted())
  })

  it('has a licence that is compatible with ours', () => {
    const unlicensed = packages.filter(
      ({ name, version, license = '' }) =>
        !LICENCES.includes(license) && READ_BY_HAND[`${name}@${version}`] !== license,
    )
    expect(unlicensed.map(({ name, version, license }) => `${name}@${version}: ${license}`)).toEqual([])
  })

  it('is listed with its licence in the interface', () => {
    const page = licencesPage(packages)
    for (const { name, version } of packages) expect(page).toContain(`| ${name} | ${version} |`)
  })

  it('is in the bill of materials, with its checksum', async () => {
    const options = { cwd: root, maxBuffer: 64_000_000, shell: process.platform === 'win32' }
    const { stdout } = await promisify(execFile)('npm', SBOM, options)
    const { components } = Bill.parse(JSON.parse(stdout))
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)))
    const missing = packages.filter(({ name, version }) => !listed.has(`pkg:npm/${name}@${version}`))
    expect(missing.map(({ path }) => path)).toEqual([])
    expect(components.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([])
  })
})

describe('npm', () => {
  it.each([
    ['writes no address of a registry into the lockfile', 'omit-lockfile-registry-resolved=true'],
    ['takes nothing from a repository', 'allow-git=none'],
    ['takes nothing from an address', 'allow-remote=none'],
    ['takes nothing from a folder', 'allow-file=none'],
    ['ends where a package that is not listed wants to run something', 'strict-allow-scripts=true'],
  ])('%s', (_, line) => {
    expect(npmrc).toContain(line)
  })

  it('is configured with no registry and no login', () => {
    expect(npmrc.filter(line => /registry\s*=\s*http|_auth|\/\//.test(line))).toEqual([])
  })
})

const SBOM = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--package-lock-only',
  '--offline',
]
const Bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  components: z.array(
    z.object({
      purl: z.string(),
      hashes: z.array(z.object({ alg: z.string() })).optional(),
    }),
  ),
})
