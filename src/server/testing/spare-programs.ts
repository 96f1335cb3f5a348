import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'

/** One works while the next one starts. */
const BEGUN = 2

/**
 * Runs a program that executes one line of its input; returns how it ended: the signal, else its code. A
 * process takes half a second to start, so the next one starts while one works. Call it once per test file.
 */
export function ordersTo(program: string) {
  const spares: ChildProcess[] = []
  const begin = () => spawn(process.execPath, [program], { stdio: ['pipe', 'inherit', 'inherit'] })
  afterAll(() => spares.forEach(spare => spare.kill('SIGKILL')))

  return async (order: object): Promise<NodeJS.Signals | number | null> => {
    while (spares.length < BEGUN) spares.push(begin())
    const child = spares.shift() ?? begin()
    const ended = once(child, 'exit')
    child.stdin?.write(`${JSON.stringify(order)}\n`)
    const [code, signal] = await ended
    return signal ?? code
  }
}
