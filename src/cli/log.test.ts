import { describe, expect, it } from 'vitest'
import { commandLog } from './log.ts'

describe('the log', () => {
  it('logs what an error is and where, and nothing attached to it', () => {
    const lines: string[] = []
    const log = commandLog('info', { write: line => void lines.push(line) })
    const error = Object.assign(
      new Error('terminating connection', { cause: new TypeError('socket closed') }),
      {
        code: '57P01',
        client: { password: 'hunter2hunter2' },
      },
    )
    log.error({ err: error }, 'a query failed')
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'a query failed',
      err: { type: 'Error', message: 'terminating connection', code: '57P01', cause: { type: 'TypeError' } },
    })
    expect(lines[0]).not.toContain('hunter2')
  })
})
