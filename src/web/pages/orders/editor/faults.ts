import type { ErrorCode } from '#shared/errors.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Draft, LineDraft, PartDraft } from './draft.ts'

/** What is wrong with which field; of lines and parts by their keys, so that it moves along with them. */
export interface Faults {
  head: Readonly<Partial<Record<string, ErrorCode>>>
  lines: ReadonlyMap<number, FieldFaults>
  parts: ReadonlyMap<number, FieldFaults>
}
export type FieldFaults = Readonly<Partial<Record<string, ErrorCode>>>

export const NO_FAULTS: Faults = { head: {}, lines: new Map(), parts: new Map() }

/** What the server has refused: `lines.0.budget` is a field of what was the first line then. */
export function faultsOf({ fields }: Problem, sent: Draft): Faults {
  const head: Record<string, ErrorCode> = {}
  const lines = new Map<number, Record<string, ErrorCode>>()
  const parts = new Map<number, Record<string, ErrorCode>>()
  for (const [path, [code]] of Object.entries(fields)) {
    if (code === undefined) continue
    const [list, index, field] = path.split('.')
    const row = index === undefined ? undefined : rowsOf(sent, list)?.[Number(index)]
    if (row === undefined) head[list ?? path] = code
    else {
      const faults = list === 'lines' ? lines : parts
      faults.set(row.key, { ...faults.get(row.key), [fieldNames[field ?? ''] ?? field ?? 'title']: code })
    }
  }
  return { head, lines, parts }
}

const rowsOf = ({ lines, schedule }: Draft, list: string | undefined) =>
  list === 'lines' ? lines : list === 'schedule' ? schedule : undefined

/** What the API calls otherwise than the editor. */
const fieldNames: Record<string, string> = { channel: 'kind' }

/** Whether a draft has fields whose texts are no values: it is not sent then. */
export const hasUnreadable = ({ lines, schedule, ...head }: Draft): boolean =>
  [head.discount, head.fee_minimum, head.payment_terms].includes('invalid') ||
  lines.some(isUnreadable) ||
  schedule.some(({ share }: PartDraft) => share === 'invalid')

export const isUnreadable = (line: LineDraft): boolean =>
  Object.keys(line.unread).length > 0 ||
  (line.pricing === 'budget' ? [line.budget] : [line.quantity, line.unit_price]).includes('invalid') ||
  line.fee_rate === 'invalid' ||
  line.typed_spent === 'invalid'

export const faultCount = ({ head, lines, parts }: Faults): number =>
  Object.keys(head).length + [...lines.values(), ...parts.values()].flatMap(Object.keys).length

/** The same without a field that has been changed since. */
export function withoutFault(
  faults: ReadonlyMap<number, FieldFaults>,
  key: number,
  fields: readonly string[],
) {
  const own = faults.get(key)
  if (own === undefined || !fields.some(field => own[field] !== undefined)) return faults
  const left = Object.fromEntries(Object.entries(own).filter(([field]) => !fields.includes(field)))
  return new Map(faults).set(key, left)
}
