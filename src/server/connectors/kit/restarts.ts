import { canRecover } from './failures.ts'

const PASSES = 3

/** Reads a list to its end; from its first page again, twice at most, when its paging breaks. */
export async function* withRestarts<Item>(read: () => AsyncIterable<Item>): AsyncGenerator<Item> {
  for (let pass = 1; ; pass += 1) {
    try {
      yield* read()
      return
    } catch (error) {
      if (pass === PASSES || !canRecover(error, 'restart_paging')) throw error
    }
  }
}

/** The same for what is of use as a whole only: what an earlier pass has read is dropped. */
export async function resultWithRestarts<Result>(read: () => Promise<Result>): Promise<Result> {
  for (let pass = 1; ; pass += 1) {
    try {
      return await read()
    } catch (error) {
      if (pass === PASSES || !canRecover(error, 'restart_paging')) throw error
    }
  }
}
