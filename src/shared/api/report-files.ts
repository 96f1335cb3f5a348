import { z } from 'zod'
import type { ErrorCode } from '#shared/errors.ts'
import { Block, CreateReport } from './reports.ts'

/** An account as a person writes it: by its id at the platform, or by its name. */
export const AccountText = z.union([z.string().min(1), z.number().int().positive().transform(String)])

/** A report as a file: the body of the API, with accounts by name. */
export const ReportFile = CreateReport.omit({ folder: true }).extend({
  channels: z.array(Block.extend({ accounts: z.array(AccountText) })).default([]),
})
export type ReportFile = z.infer<typeof ReportFile>

/** What is wrong with a file, and where. */
export interface FileProblem {
  /** `channels.0.accounts`; empty: the file as a whole. */
  path: string
  code: ErrorCode
  /** The same in English prose, for people who read the response itself. */
  message: string
}

/** A file that says nothing of a report. */
export interface UnreadableFile {
  /** As far as it is known. */
  name: string
  problems: FileProblem[]
}

/** Each report is one, or everything that is wrong with it. */
export type ReadReportFiles = ({ file: ReportFile } | UnreadableFile)[] | 'too_many_documents'
