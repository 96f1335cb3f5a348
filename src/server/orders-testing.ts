import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { afterAll } from 'vitest'

/** How many are begun, the one that works among them: the others start meanwhile. In the quick form, which has few orders, they would start for nothing. */
const AT_ONCE = process.env.LONG ? 3 : 1

/**
 * Runs a program that does what one line of its input orders; answers how it ended: the signal, else its code. A process takes half a second
 * to start. Call it once per test file.
 */
export function ordersTo(program: string) {
  const spares: ChildProcess[] = []
  const begin = () => spawn(process.execPath, [program], { stdio: ['pipe', 'inherit', 'inherit'] })
  afterAll(() => spares.forEach(spare => spare.kill('SIGKILL')))

  return async (order: object): Promise<NodeJS.Signals | number | null> => {
    while (spares.length < AT_ONCE) spares.push(begin())
    const child = spares.shift() ?? begin()
    const ended = once(child, 'exit')
    child.stdin?.write(`${JSON.stringify(order)}\n`)
    const [code, signal] = await ended
    return signal ?? code
  }
}
