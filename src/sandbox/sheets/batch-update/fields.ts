import { shapeOf } from '#sandbox/sheets/check.ts'
import { badRequest, invalid } from '#sandbox/sheets/errors.ts'
import { parseMask, unknownPath } from '#sandbox/sheets/fields-mask.ts'
import type { Mask } from '#sandbox/sheets/fields-mask.ts'

/** The `fields` of an update: mandatory, and naming only what the message has. */
export function readFields(fields: string | null | undefined, message: string): Mask {
  if (!fields)
    throw invalid("At least one field must be listed in 'fields'. (Use '*' to indicate all fields.)")
  // Field masks in bodies may be written in either spelling.
  const mask = parseMask(fields.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()))
  const unknown = mask ? unknownPath(mask, message, { shapeOf }) : fields
  if (!mask || unknown) {
    throw badRequest([
      {
        field: 'fields',
        description: `Invalid field mask: Cannot find matching fields for path '${unknown ?? fields}'.`,
      },
    ])
  }
  return mask
}

/** `into` with the members that the mask names as `from` has them; members that `from` lacks disappear. */
export function mergeFields(
  into: Record<string, unknown>,
  from: Record<string, unknown>,
  mask: Mask | null,
): Record<string, unknown> {
  if (mask === null || '*' in mask) return { ...from }
  const result = { ...into }
  for (const [name, below] of Object.entries(mask)) {
    const value = from[name]
    if (below === null || '*' in below) {
      if (value === undefined) delete result[name]
      else result[name] = value
    } else {
      const merged = mergeFields(asObject(result[name]), asObject(value), below)
      if (Object.keys(merged).length > 0) result[name] = merged
      else delete result[name]
    }
  }
  return result
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {}
