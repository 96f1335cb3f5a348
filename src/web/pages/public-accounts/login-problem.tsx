import type { Problem as ProblemType } from '#web/client/problem.ts'
import { Problem } from '#web/ui/problem.tsx'

/** Why a login was refused, unless that is shown at one of its fields. */
export function LoginProblem({ problem }: { problem: ProblemType | null }) {
  if (!problem || Object.keys(problem.fields).some(field => field.startsWith('login.'))) return null
  return <Problem code={problem.code} request_id={problem.request_id} />
}
