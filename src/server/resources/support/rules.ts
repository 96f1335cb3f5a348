import type { CreateIssue, IssueState, UpdateIssue } from '#shared/api/support.ts'
import type { FieldProblem } from '#server/http/refusal.ts'

/**
 * The invalid fields of a new issue; `is_seen`: whether the reporter sees the report that it names; `image`:
 * the problem of its image.
 */
export function problemsOf(
  { report_type, report, occurred_at }: CreateIssue,
  { isVisible, image, now }: { isVisible: boolean; image: FieldProblem | null; now: Date },
): Record<string, FieldProblem[]> {
  const has_report = report !== undefined && report !== null
  return {
    ...(report_type === 'auto_update_report' && !has_report && { report: ['field_required'] }),
    ...(has_report && !isVisible && { report: ['field_not_available'] }),
    ...(Date.parse(occurred_at) > now.getTime() && { occurred_at: ['time_in_future'] }),
    ...(image !== null && { image: [image] }),
  }
}

interface Before {
  status: IssueState
  answer: string | null
  grants_history: boolean
}

/** The issue after an editor's change, and whether its reporter has something new to read. */
export function changeOf(before: Before, { status, answer, grant_history }: UpdateIssue) {
  const has_answer = answer !== undefined && answer !== before.answer
  const grants = grant_history === true && !before.grants_history
  const is_news = has_answer || grants
  return {
    is_news,
    grants,
    has_answer,
    after: {
      status: status ?? (is_news ? 'answered' : before.status),
      answer: answer ?? before.answer,
      grants_history: before.grants_history || grants,
    },
  }
}

/** Something new from its reporter has to be read again; what is being worked on stays so. */
export const statusAfterAddition = (status: IssueState): IssueState =>
  status === 'in_progress' ? status : 'open'
