import { calculatedIds } from '#shared/block-catalogue.ts'
import type { Violation } from '#shared/block-rules.ts'
import { parseStartCell } from '#shared/cell.ts'
import type { Text } from '#shared/language.ts'
import { whyNotSave } from '#shared/report-rules.ts'
import type { Problem } from '#web/client/problem.ts'
import type { Draft } from './draft.ts'
import { differing } from './history.ts'
import type { Fix } from './fixes.ts'
import { isKnown, type KnownBlocks } from './known.ts'

/** Something that is wrong with a field; `path` as in "channels.0.metrics". */
export interface FieldError {
  path: string
  code: string
  detail: Record<string, unknown>
  /** Changes, any one of which ends it. */
  fixes?: readonly Fix[]
  /** What the metrics that it is about are called in their block. */
  names?: Readonly<Record<string, Text>>
}

interface Facts {
  known: KnownBlocks
  /** In the report's time zone. */
  today: string
  /** As it is saved; it may stay, however old it has become. */
  saved: Draft | null
  /** A support editor has granted ranges of up to three years. */
  history_extended: boolean
}

/** The errors that the rules find without a request to the server. */
export function localErrors(draft: Draft, { known, today, saved, history_extended }: Facts): FieldError[] {
  const of = (path: string, code: string): FieldError => ({ path, code, detail: {} })
  return [
    ...(draft.name.trim() === '' ? [of('name', 'field_required')] : []),
    ...(parseStartCell(draft.start_cell) === 'start_cell_format'
      ? [of('start_cell', 'start_cell_format')]
      : []),
    ...(draft.sheet_name.includes(':') ? [of('sheet_name', 'sheet_name_colon')] : []),
    ...draft.channels.flatMap((block, index) =>
      block.filters.flatMap(({ values }, position) =>
        values.length === 0
          ? [of(`channels.${index}.filters.${position}.values`, 'filter_values_required')]
          : [],
      ),
    ),
    ...draft.blends.flatMap((blend, index) =>
      (['name', 'formula'] as const).flatMap(field =>
        blend[field].trim() === '' ? [of(`blends.${index}.${field}`, 'field_required')] : [],
      ),
    ),
    ...whyNotSave({
      report: draft,
      accounts: known.accounts,
      meanings: known.meanings,
      today,
      history_extended,
      ...(saved && { saved_range: saved.date_range }),
    }).filter(refusal => !isUnsure(refusal, draft, known) && !isEmptyFormula(refusal, draft)),
  ]
}

/** What a block does not have may be there once everything is known, and the server knows. */
function isUnsure({ path, detail }: Violation, { channels }: Draft, known: KnownBlocks): boolean {
  const isMeant =
    detail.reason === 'conversion_not_offered' ||
    (detail.reason === 'metric_not_offered' && calculatedIds([String(detail['metric'])]).length > 0)
  const block = channels[blockIn(path) ?? -1]
  return isMeant && block !== undefined && !isKnown(block, known)
}

/** Of "channels.2.metrics" 2; null: it is no channel's. */
export function blockIn(path: string): number | null {
  const [field, index] = path.split('.')
  return field === 'channels' && index !== undefined ? Number(index) : null
}

/** One that is still to be written is missing, not wrong. */
const isEmptyFormula = ({ path }: Violation, { blends }: Draft) =>
  blends.some(({ formula }, index) => formula.trim() === '' && path === `blends.${index}.formula`)

/** Whether it was granted in the meantime only the server knows: what the rules say about it is a hint. */
export const isBlocking = ({ code }: FieldError) => code !== 'history_limit' && code !== 'range_too_long'

/** What the server has refused, by field. */
export const serverErrors = ({ fields, body }: Problem): FieldError[] =>
  Object.entries(fields).flatMap(([path, codes]) =>
    codes.map(code => ({ path, code, detail: detailAt(body.details, path) })),
  )

/** Whether the part of the draft that a path is about is another one than when it was refused. */
export function hasChanged(path: string, before: Draft, after: Draft): boolean {
  const field = path.split('.')[0]
  return differing(before, after).some(name => name === field)
}

function detailAt(details: unknown, path: string): Record<string, unknown> {
  if (!isObject(details)) return {}
  const detail = details[path]
  return isObject(detail) ? detail : {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
