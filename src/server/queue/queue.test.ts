import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing/database.ts'
import { openQueue } from './queue.ts'

const { db, url, listen } = await testDatabase()
const errors: Error[] = []
const queue = await openQueue({
  connection_string: url,
  listen,
  tasks: ['greet'],
  on_error: error => errors.push(error),
})
const heard: string[] = []
let wake = () => {}
let at_once = 0
let most_at_once = 0
const taking = await queue.work<{ name: string }>('greet', 2, async ({ name }) => {
  most_at_once = Math.max(most_at_once, ++at_once)
  await db.selectFrom('users').select('id').execute()
  heard.push(name)
  at_once--
  wake()
})
afterAll(async () => {
  await taking.stop(1000)
  await queue.close()
})

const until = async (done: () => boolean) => {
  while (!done()) await new Promise<void>(resolve => (wake = resolve))
}

describe('the queue', () => {
  it('brings a message to a worker', async () => {
    await queue.enqueue(db, 'greet', [{ name: 'Ann' }])
    await until(() => heard.includes('Ann'))
    expect(heard.filter(name => name === 'Ann')).toHaveLength(1)
  })

  it('forgets a message whose transaction is rolled back', async () => {
    const rolled_back = db.transaction().execute(async trx => {
      await queue.enqueue(trx, 'greet', [{ name: 'Nobody' }])
      throw new Error('changed my mind')
    })
    await expect(rolled_back).rejects.toThrow('changed my mind')
    await queue.enqueue(db, 'greet', [{ name: 'Ben' }])
    await until(() => heard.includes('Ben'))
    expect(heard).not.toContain('Nobody')
  })

  it('brings a deferred message when its time has come', async () => {
    const start_after = new Date(Date.now() + 700)
    await queue.enqueue(db, 'greet', [{ name: 'Cid' }], { start_after })
    await until(() => heard.includes('Cid'))
    expect(Date.now()).toBeGreaterThanOrEqual(start_after.getTime())
    expect(errors).toEqual([])
  })

  it('keeps every hand busy and no more', async () => {
    const names = Array.from({ length: 40 }, (_, i) => `guest ${i}`)
    await queue.enqueue(
      db,
      'greet',
      names.map(name => ({ name })),
    )
    await until(() => names.every(name => heard.includes(name)))
    expect(most_at_once).toBe(2)
    expect(heard.filter(name => name.startsWith('guest'))).toHaveLength(40)
  })
})
