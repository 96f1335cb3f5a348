import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { environmentOfOurs } from '#server/child-environment.ts'
import { writePageFiles } from './page-files.ts'

/**
 * Builds the interface into dist/web. With `--if-needed` only when its sources have changed since: `npm
 * start` checks that each time, which takes a few milliseconds.
 */
const root = join(import.meta.dirname, '..')
const out = join(root, 'dist/web')
/** The same for the server, which draws pages with it. */
const renderer = join(root, 'dist/web-renderer')
const stamp = join(root, 'dist/web.stamp')

const current = await fingerprint()
if (!process.argv.includes('--if-needed') || !(await isBuilt())) await build()

async function isBuilt() {
  return existsSync(join(out, 'index.html')) && (await readFile(stamp, 'utf8').catch(() => '')) === current
}

/** Built beside and then moved, so that an interrupted build leaves the last one as it was. */
async function build() {
  const started = performance.now()
  // Nothing of ours can end in a file that everybody may read: the bundler and its plugins do not even see
  // it.
  const environment = environmentOfOurs()
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  const fresh = join(root, `dist/web.${process.pid}`)
  // Loaded here, since loading it takes longer than finding out that there is nothing to do.
  const vite = await import('vite')
  // Set here: a test runner's own value would build the libraries' development forms.
  process.env.NODE_ENV = 'production'
  const shared = { configFile: join(root, 'vite.config.ts'), logLevel: 'warn' } as const
  await vite.build({ ...shared, build: { outDir: fresh, emptyOutDir: true, manifest: true } })
  await vite.build({
    ...shared,
    build: {
      outDir: `${fresh}-renderer`,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: true,
      rolldownOptions: { input: join(root, 'src/web/render-page.tsx') },
    },
  })
  await writePageFiles(fresh)
  await compressAll(fresh)
  await rm(stamp, { force: true })
  await mkdir(join(root, 'dist'), { recursive: true })
  await replace(`${fresh}-renderer`, renderer)
  await replace(fresh, out)
  await writeFile(stamp, current)
  console.log(`interface built in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function replace(fresh: string, folder: string) {
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}

/** A hash over everything that the interface is made of. */
async function fingerprint() {
  const files = ['package-lock.json', 'vite.config.ts', 'scripts/build-web.ts', 'scripts/page-files.ts']
  for await (const entry of glob('src/{web,shared}/**/*', { cwd: root, withFileTypes: true })) {
    if (entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
      files.push(relative(root, join(entry.parentPath, entry.name)))
  }
  const hash = createHash('sha256')
  const contents = await Promise.all(
    files.toSorted().map(async file => [file, await readFile(join(root, file))] as const),
  )
  for (const [file, bytes] of contents) hash.update(`${file} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}

/** Writes the compressed forms of each file beside it, which the server sends as they are. */
async function compressAll(folder: string) {
  const jobs: Promise<void>[] = []
  for await (const file of glob('**/*.{js,css,svg}', { cwd: folder })) jobs.push(compress(join(folder, file)))
  await Promise.all(jobs)
}

async function compress(path: string) {
  const bytes = await readFile(path)
  if (bytes.length < 1000) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
    promisify(gzip)(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
