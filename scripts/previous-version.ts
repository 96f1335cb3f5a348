import { spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Runs the server's tests of an earlier version on the schema of this one, as its processes do during a
 * deploy: `node scripts/previous-version.ts REF [FILES]`. REF is the tag or commit of the release before; its
 * files are checked out into a folder of its own, with this checkout's migrations instead of its own. What
 * only describes the schema (`describe-schema`, the recorded migrations) is left out.
 */
const root = join(import.meta.dirname, '..')
const [ref, ...files] = process.argv.slice(2)
if (ref) process.exitCode = await test(ref)
else {
  console.error('Name a version: node scripts/previous-version.ts REF [FILES]')
  process.exitCode = 2
}

async function test(version: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sheetcast-previous-'))
  try {
    await run('git', ['worktree', 'add', '--detach', folder, version], root)
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
    const before = await readdir(join(folder, 'db/migrations'))
    await rm(join(folder, 'db/migrations'), { recursive: true })
    await cp(join(root, 'db/migrations'), join(folder, 'db/migrations'), { recursive: true })
    const added = (await readdir(join(folder, 'db/migrations'))).filter(name => !before.includes(name))
    console.log(`${version} on ${added.length} newer migrations: ${added.join(', ') || 'none'}`)
    const leftOut = ['**/describe-schema.test.ts', '**/large-migrations.test.ts'].map(
      name => `--exclude=${name}`,
    )
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    return await run(process.execPath, [vitest, 'run', '--project', 'server', ...leftOut, ...files], folder)
  } finally {
    await run('git', ['worktree', 'remove', '--force', folder], root)
  }
}

async function run(program: string, args: string[], cwd: string): Promise<number> {
  const child = spawn(program, args, { cwd, stdio: 'inherit' })
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', status => resolve(status ?? 1))
  })
  if (program === 'git' && code !== 0) throw new Error(`git ${args.join(' ')} failed`)
  return code
}
