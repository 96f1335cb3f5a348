import { afterAll, describe, expect, it } from 'vitest'
import { testDatabase } from '#server/db/testing.ts'
import { openQueue } from './queue.ts'

const { db, url } = await testDatabase()
const errors: Error[] = []
const queue = await openQueue({
  connection_string: url,
  tasks: ['greet'],
  on_error: error => errors.push(error),
})
const heard: string[] = []
let wake = () => {}
await queue.work<{ name: string }>('greet', 2, async ({ name }) => {
  heard.push(name)
  wake()
})
afterAll(() => queue.stop(1000))

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
})
