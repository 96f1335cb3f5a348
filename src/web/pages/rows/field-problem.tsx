import type { Problem as Refused } from '#web/client/problem.ts'
import { Problem } from '#web/ui/problem.tsx'
import { ProblemText } from '#web/ui/problem-text.tsx'

/** What is wrong with a field: it is missing, or what the server says. */
export function fieldProblem(problem: Refused | null, field: string, isMissing = false) {
  const code = isMissing ? 'field_required' : problem?.fields[field]?.[0]
  return code && <ProblemText code={code} audience="internal" />
}

/** A refusal that is about no single field. */
export function GeneralProblem({ problem }: { problem: Refused | null }) {
  if (!problem || Object.keys(problem.fields).length > 0) return null
  return <Problem code={problem.code} audience="internal" />
}
