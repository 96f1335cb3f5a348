import { z } from 'zod'
import { Id, IdText, Instant, listOf, listQuery } from './list.ts'
import { text } from './names.ts'

const TEXT = 5000
const ReportType = z.enum(['auto_update_report', 'others'])
export const issueStates = ['open', 'in_progress', 'answered', 'closed'] as const
const State = z.enum(issueStates)
export type IssueState = z.infer<typeof State>

/** Something that a person has reported to support. */
export const Issue = z.object({
  id: Id,
  reporter: Id,
  reporter_name: z.string(),
  report_type: ReportType,
  /** null: it is about none, or about one that the reader does not see any more. */
  report: z.object({ id: Id, name: z.string() }).nullable(),
  occurred_at: Instant,
  description: z.string(),
  /** What the reporter has added since, oldest first. */
  additions: z.array(z.object({ text: z.string(), created_at: Instant })),
  status: State,
  answer: z.string().nullable(),
  answered_by_name: z.string().nullable(),
  /** Ranges of up to three years were granted for the report. */
  grants_history: z.boolean(),
  /** The picture that came with it, under …/{id}/image/; sizes in pixels. */
  image: z.object({ type: z.string(), width: z.number().int(), height: z.number().int() }).nullable(),
  created_at: Instant,
  last_modified_at: Instant,
})
export type Issue = z.infer<typeof Issue>

export const IssueQuery = listQuery(['id', 'created_at', 'last_modified_at', 'occurred_at'], '-id').extend({
  status: State.optional(),
})
export type IssueQuery = z.output<typeof IssueQuery>
export const IssueList = listOf(Issue)
export type IssueList = z.infer<typeof IssueList>

/**
 * `report` is one that the reporter sees; one of type auto_update_report needs it. As a form where a picture
 * comes along.
 */
export const CreateIssue = z.strictObject({
  report_type: ReportType,
  report: z.union([Id, IdText]).nullable().optional(),
  /** Not in the future. */
  occurred_at: Instant,
  description: text(TEXT),
  /** png, jpeg, webp or gif by content; 5 MB and 50 million pixels at most. */
  image: z.file().optional(),
})
export type CreateIssue = z.output<typeof CreateIssue>

/** The reporter adds to an issue; one that was answered or closed is open again. */
export const AddToIssue = z.strictObject({ text: text(TEXT) })
export type AddToIssue = z.infer<typeof AddToIssue>

/** An answer or a grant sets it to answered, unless `status` says otherwise. */
export const UpdateIssue = z.strictObject({
  status: State.optional(),
  answer: text(TEXT).optional(),
  grant_history: z.literal(true).optional(),
})
export type UpdateIssue = z.infer<typeof UpdateIssue>

export const EditorCheck = z.object({ editor: z.boolean() })
