import type { z } from 'zod'
import { codeFor } from '#server/http/parse.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { ImportFile, ImportProblem } from '#server/import-file.ts'
import { changedFields, type ChangedFields } from '#server/resources/audit/changed-fields.ts'

/** The name in a row of a file, as names are stored. */
export const nameIn = ({ name }: Record<string, unknown>): string => String(name ?? '').normalize('NFC')

/** What the rows of a file do: those with names that exist change these, the others create. */
export interface ImportPlan<Before, Creation, Change> {
  creates: { row: number; after: Creation }[]
  changes: { before: Before; after: Change; changes: ChangedFields }[]
  same: number
  problems: ImportProblem[]
}

interface Rules<Before, Creation extends z.ZodType, Change extends z.ZodType> {
  schemas: { create: Creation; change: Change }
  /** How rows are compared; of which field it is said that two are the same. */
  keyOf: (values: Record<string, unknown>) => string
  key_field?: string
  /** The row of this key that the person may change. */
  find: (key: string) => Before | undefined
  /** What it is compared with, by the names of the schemas. */
  factsOf: (before: Before) => object
  /** What is wrong beside the schema, by field. */
  check: (
    after: z.output<Creation> | z.output<Change>,
    before: Before | undefined,
  ) => Promise<Record<string, ErrorCode>>
}

export async function planImport<Before, Creation extends z.ZodType, Change extends z.ZodType<object>>(
  { rows, problems: problemsOfFile }: ImportFile,
  { schemas, keyOf, key_field = 'name', find, factsOf, check }: Rules<Before, Creation, Change>,
): Promise<ImportPlan<Before, z.output<Creation>, z.output<Change>>> {
  const plan: ImportPlan<Before, z.output<Creation>, z.output<Change>> = {
    creates: [],
    changes: [],
    same: 0,
    problems: [...problemsOfFile],
  }
  const keys = new Set<string>()
  for (const { row, values } of problemsOfFile.length > 0 ? [] : rows) {
    const key = keyOf(values)
    const note = (field: string, code: ErrorCode) => plan.problems.push({ row, field, code })
    if (keys.has(key)) note(key_field, 'name_taken')
    keys.add(key)
    const before = find(key)
    const read = before === undefined ? schemas.create.safeParse(values) : schemas.change.safeParse(values)
    if (!read.success) {
      for (const issue of read.error.issues) note(issue.path.join('.') || key_field, codeFor(issue))
      continue
    }
    const faults = Object.entries(await check(read.data, before))
    for (const [field, code] of faults) note(field, code)
    if (faults.length > 0) continue
    if (before === undefined) plan.creates.push({ row, after: read.data as z.output<Creation> })
    else {
      const after = read.data as z.output<Change>
      const changes = changedFields(factsOf(before), after)
      if (Object.keys(changes).length === 0) plan.same += 1
      else plan.changes.push({ before, after, changes })
    }
  }
  return plan
}

export const countsOf = ({ creates, changes, same, problems }: ImportPlan<unknown, unknown, unknown>) => ({
  create: creates.length,
  change: changes.length,
  same,
  problems,
})
