import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * Writes docs/licences.md, what each package of the lockfile is licensed under; `--check` writes nothing and
 * fails when it is out of date. `--ages`, the only one that asks the registry, prints how old the versions
 * are that the lockfile has and an earlier commit's has not, and fails for one younger than a week: most
 * malicious ones are found within days. npm's own `min-release-age` cannot be in .npmrc, since `npm ci` would
 * then refuse for a week what an exception has let into the lockfile.
 */
const root = join(import.meta.dirname, '..')
const FILE = join(root, 'docs/licences.md')
const WEEK_DAYS = 7
/** `name@version` that may be younger, and the vulnerability that it fixes. */
const MENDS: Record<string, string> = {}

/** Packages whose package.json names no licence; read in their LICENSE. */
const READ_LICENCES: Record<string, string> = {
  'busboy@1.6.0': 'MIT',
  'humanize-number@0.0.2': 'MIT',
  'png-js@2.0.0': 'MIT',
  'streamsearch@1.1.0': 'MIT',
}

const Package = z.object({
  version: z.string(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  link: z.boolean().optional(),
  license: z.string().optional(),
  hasInstallScript: z.boolean().optional(),
  name: z.string().optional(),
  dev: z.boolean().optional(),
  devOptional: z.boolean().optional(),
})
const Lockfile = z.object({ packages: z.record(z.string(), Package) })

export type LockedPackage = z.infer<typeof Package> & { name: string; path: string }

export async function lockedPackages(text?: string): Promise<LockedPackage[]> {
  const { packages } = Lockfile.parse(
    JSON.parse(text ?? (await readFile(join(root, 'package-lock.json'), 'utf8'))),
  )
  return Object.entries(packages)
    .filter(([path]) => path !== '')
    .map(([path, found]) => {
      const name = found.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const license = found.license ?? READ_LICENCES[`${name}@${found.version}`]
      return { ...found, path, name, ...(license !== undefined && { license }) }
    })
}

/** The list, one line a package and version; what only building and testing need is listed separately. */
export function licencesPage(packages: readonly LockedPackage[]): string {
  const lines = (those: readonly LockedPackage[]) =>
    [
      ...new Set(those.map(one => `| ${one.name} | ${one.version} | ${one.license ?? 'unknown'} |`)),
    ].toSorted()
  const table = (those: readonly LockedPackage[]) =>
    ['| package | version | licence |', '|---|---|---|', ...lines(those)].join('\n')
  const isForBuilding = ({ dev, devOptional }: LockedPackage) => dev === true || devOptional === true
  return `# Licences

Generated from package-lock.json by \`node scripts/dependencies.ts\`; \`scripts/dependencies.test.ts\` has the list of allowed licences.

## Packages of the product

${table(packages.filter(one => !isForBuilding(one)))}

## Fonts in the repository

Noto Sans TC and Noto Sans JP, Regular, in \`src/server/pdf/fonts\` with their licence, OFL-1.1: unchanged files of @expo-google-fonts/noto-sans-tc and -jp 0.4.3, which have 112 MB of other
weights. \`src/server/pdf/typefaces.test.ts\` has their SHA-256.

## Packages for building and testing

${table(packages.filter(isForBuilding))}
`
}

if (import.meta.main) await main(process.argv.slice(2))

async function main([mode, ref = 'HEAD']: string[]) {
  if (mode === '--ages') return await checkAges(ref)
  const page = licencesPage(await lockedPackages())
  if (mode !== '--check') return await writeFile(FILE, page)
  if ((await readFile(FILE, 'utf8').catch(() => '')) === page) return
  console.error('docs/licences.md is out of date; run "node scripts/dependencies.ts".')
  process.exitCode = 1
}

async function checkAges(ref: string) {
  const { stdout } = await run('git', ['show', `${ref}:package-lock.json`])
  const before = new Set((await lockedPackages(stdout)).map(one => `${one.name}@${one.version}`))
  const fresh = (await lockedPackages()).filter(one => !before.has(`${one.name}@${one.version}`))
  if (fresh.length === 0) return console.log(`No version has changed since ${ref}.`)
  for (const { name, version } of fresh) {
    const days = await ageInDays(name, version)
    const mends = MENDS[`${name}@${version}`]
    const isYoung = days < WEEK_DAYS && mends === undefined
    const remark = isYoung ? ', younger than a week' : mends ? `, mends ${mends}` : ''
    console.log(`${name} ${version}: ${Math.floor(days)} days old${remark}`)
    if (isYoung) process.exitCode = 1
  }
}

async function ageInDays(name: string, version: string): Promise<number> {
  const { stdout } = await run('npm', ['view', `${name}@${version}`, 'time', '--json'])
  const times = z.record(z.string(), z.string()).parse(JSON.parse(stdout))
  const published = times[version]
  if (published === undefined)
    throw new Error(`the registry does not say when ${name} ${version} was published`)
  return (Date.now() - Date.parse(published)) / 86_400_000
}

async function run(program: string, args: string[]) {
  return await promisify(execFile)(program, args, {
    cwd: root,
    maxBuffer: 64_000_000,
    shell: process.platform === 'win32',
  })
}
