import { sql } from 'kysely'
import { Client, type ClientBase } from 'pg'
import { codeOf } from './problem.ts'

const MARK = '/* planned once */'

/**
 * What a statement begins with whose plan a session keeps. To parse and plan the statements of a click takes
 * longer than to execute them. For texts that do not vary and find their rows by key: where the best plan
 * depends on the values, as in a search, a kept one may be a hundred times slower.
 */
export const plannedOnce = sql.raw(MARK)

/** Names these statements in a session of a pool. */
export function keepPlans(session: ClientBase): void {
  const names = new Map<string, string>()
  const query = (...statement: unknown[]) => Reflect.apply(Client.prototype.query, session, statement)
  const named = async (text: string, values: unknown) => {
    const name = names.get(text) ?? `planned_${names.size}`
    names.set(text, name)
    try {
      return await query({ name, text, values })
    } catch (error) {
      // A migration has added a column to `returning *`: the statement was refused, and nothing was executed.
      if (codeOf(error) !== PLAN_REFUSED) throw error
      return await query(text, values)
    }
  }
  const send = (text: unknown, ...rest: unknown[]) =>
    typeof text === 'string' && text.startsWith(MARK) ? named(text, rest[0]) : query(text, ...rest)
  Object.assign(session, { query: send })
}

const PLAN_REFUSED = '0A000'
