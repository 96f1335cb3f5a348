import type { Problem as Refused } from '#web/client/problem.ts'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'

/** What is wrong with a field: it is missing, or what the server says. */
export function fieldProblem(problem: Refused | null, field: string, isMissing = false) {
  const code = isMissing ? 'field_required' : codeOf(problem, field)
  return code && <ProblemText code={code} audience="internal" />
}

/** What the server says about a field, or about a part of it such as `tags.0`. */
export const codeOf = (problem: Refused | null, field: string) =>
  problem &&
  (problem.fields[field]?.[0] ??
    Object.entries(problem.fields).find(([path]) => isWithin(path, field))?.[1][0])

const isWithin = (path: string, field: string) => path === field || path.startsWith(`${field}.`)

interface GeneralProblemProps {
  problem: Refused | null
  /** Those that say themselves what is wrong with them; left out: all do. */
  fields?: readonly string[]
}

/** A refusal that is about no single field, or about one that the form does not have. */
export function GeneralProblem({ problem, fields }: GeneralProblemProps) {
  if (!problem) return null
  const refused = Object.entries(problem.fields)
  const others = fields
    ? refused.filter(([path, codes]) => !codes[0] || !fields.some(field => isWithin(path, field)))
    : []
  if (refused.length > 0 && others.length === 0) return null
  return (
    <Problem code={problem.code} audience="internal">
      {others.map(([path, [code]]) => (
        <div key={path}>
          {path}: {code && <ProblemText code={code} audience="internal" />}
        </div>
      ))}
    </Problem>
  )
}
