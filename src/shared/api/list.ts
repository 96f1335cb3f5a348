import { z } from 'zod'

/** A row's id: an integer of the database. */
export const Id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
/** The same in a path or a query, where everything is text. */
export const IdText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/)
  .transform(Number)
/** A folder that something is put into; null, or 0 as in the filters of lists, is the root. */
export const FolderId = z.union([z.literal(0).transform(() => null), Id]).nullable()
/** The same in a query. */
export const FolderIdText = z.union([z.literal('0').transform(() => 0), IdText])
/** The path of one of them. */
export const IdPath = z.object({ id: IdText })

/** yyyy-MM-dd */
export const Day = z.iso.date()
/** ISO 8601 in UTC, as JSON carries it. */
export const Instant = z.iso.datetime()

/**
 * The parameters of every list; `ordering` is a field name, `-` first for descending, from the list's own
 * set.
 */
export const listQuery = <Field extends string>(
  fields: readonly [Field, ...Field[]],
  initial: Field | `-${Field}`,
) =>
  z.object({
    search: z.string().max(200).optional(),
    ordering: z
      .enum([...fields, ...fields.map(field => `-${field}` as const)])
      .optional()
      .transform(ordering => ordering ?? initial),
    limit: z
      .string()
      .regex(/^\d{1,3}$/)
      .transform(Number)
      .pipe(z.number().int().min(1).max(100))
      .default(10),
    offset: z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number)
      .default(0),
  })

/** One page of a list; `next` and `previous` are paths of this site. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    count: z.number().int(),
    next: z.string().nullable(),
    previous: z.string().nullable(),
    results: z.array(item),
  })

/** Up to so many, none of them twice; texts are the same whatever their case. */
export const distinct = <Item extends z.ZodType>(item: Item, most: number) =>
  z
    .array(item)
    .max(most)
    .refine(items => new Set(items.map(each => JSON.stringify(each).toLowerCase())).size === items.length)
