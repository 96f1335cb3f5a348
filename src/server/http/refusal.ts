import type { ErrorCode } from '#shared/errors.ts'

/** What is wrong with a field: a code, or a code and its parameters. */
export type FieldProblem = ErrorCode | { code: ErrorCode; detail: Record<string, unknown> }

export interface RefusalFacts {
  /** By field name; nested ones with dots, as in `channels.0.accounts`. */
  fields?: Record<string, readonly FieldProblem[]>
  /** English prose for people who read the response itself. */
  detail?: string
  retry_after_s?: number
  /** Further members of the response, for example the newer report beside a conflict. */
  extra?: Record<string, unknown>
}

/**
 * A request that is refused, for a reason of the closed list. Thrown once, by the route; http/ makes the
 * response.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly facts: RefusalFacts

  constructor(code: ErrorCode, facts: RefusalFacts) {
    super(code)
    this.code = code
    this.facts = facts
  }
}

/** `throw refuse('invalid', { fields: { name: ['folder_name'] } })` */
export const refuse = (code: ErrorCode, facts: RefusalFacts = {}) => new Refusal(code, facts)
