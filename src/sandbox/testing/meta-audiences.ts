import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import type { Client } from './meta.ts'
import type { Reply } from './reply.ts'

export const TAIPEI = 'act_10150357160960121'
export const OUTLET = 'act_10150357160960122'

/** Audiences over the wire, as a client of Meta's handles them. */
export function audienceCalls(client: Client) {
  const create = async (name = 'VIP', account = TAIPEI): Promise<string> => {
    const { body } = await client.post(`${account}/customaudiences`, customerFile(name))
    return body.id
  }
  const upload = (edge: string, rows: readonly string[][], session?: object, more: object = {}) =>
    client.post(edge, {
      payload: { schema: ['EMAIL', 'PHONE'], data: rows },
      ...(session && { session }),
      ...more,
    })
  return {
    create,
    /** People become members at once. */
    add: (id: string, people: Iterable<number>) => upload(`${id}/users`, rowsOf(people)),
    upload,
    read: async (id: string, fields = READ) => (await client.get(id, { fields })).body,
    /** Lets Meta's work on a change come to its end. */
    fill: (ms = 60_000) => client.sandbox.clock.set({ now: client.sandbox.clock.now() + ms, speed: 0 }),
  }
}

const READ =
  'id,name,subtype,approximate_count_lower_bound,approximate_count_upper_bound,delivery_status,operation_status'

export const customerFile = (name: string) => ({
  name,
  subtype: 'CUSTOM',
  description: 'by a test',
  customer_file_source: 'USER_PROVIDED_ONLY',
})

export const rowsOf = (people: Iterable<number>): string[][] =>
  Array.from(people, person => [hashedIdentifier(person, 'email'), hashedIdentifier(person, 'phone')])

export const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, index) => from + index)

export const errorOf = ({ body }: Reply) => [body.error?.code, body.error?.error_subcode]

/** What an audience says of itself, in short: operation, delivery, bounds. */
export const stateOf = (node: Reply['body']) => [
  node.operation_status.code,
  node.delivery_status.code,
  node.approximate_count_lower_bound,
  node.approximate_count_upper_bound,
]
