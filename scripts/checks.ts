import { exec } from 'node:child_process'

/** All checks that do not run the product; each is a script of package.json. */
const CHECKS = ['types', 'lint', 'unused', 'style', 'format:check', 'schema:check']

// All at once: the longest of them takes one core.
const running = CHECKS.map(name => ({ name, ended: run(name) }))
let passed = 0
for (const { name, ended } of running) {
  const { is_right, output } = await ended
  console.log(`== ${name}${is_right ? '' : ' FAILED'}\n${output.trimEnd()}`)
  if (is_right) passed++
}
const failed = CHECKS.length - passed
console.log(`checks: ${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

function run(name: string) {
  return new Promise<{ is_right: boolean; output: string }>(resolve => {
    exec(`npm run --silent ${name}`, { maxBuffer: 100_000_000 }, (error, stdout, stderr) =>
      resolve({ is_right: error === null, output: stdout + stderr }),
    )
  })
}
