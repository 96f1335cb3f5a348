import { z } from 'zod'
import { channelIds } from '#shared/channels/ids.ts'
import { limits } from '#shared/limits.ts'
import { Id } from './list.ts'
import { name, nameOrNothing } from './names.ts'
import { Gap, reportOrderings } from './reports.ts'

/** What the list of reports shows: as its query has it, without page and folder tree. */
export const ViewFilters = z.strictObject({
  /** 0 is the root, or all folders if anything else is filtered by. */
  folder: z.union([z.literal(0), Id]).optional(),
  search: nameOrNothing(200).optional(),
  ordering: z.enum([...reportOrderings, ...reportOrderings.map(field => `-${field}` as const)]).optional(),
  status: z.number().int().min(0).max(3).optional(),
  channel: z.enum(channelIds).optional(),
  gap: Gap.optional(),
  scope: z.enum(['mine', 'shared', 'all']).optional(),
  favourite: z.literal(true).optional(),
})
export type ViewFilters = z.infer<typeof ViewFilters>

export const ReportView = z.object({ id: Id, name: z.string(), filters: ViewFilters })
export type ReportView = z.infer<typeof ReportView>

export const CreateReportView = z.strictObject({ name: name(limits.view_name), filters: ViewFilters })
export const UpdateReportView = z.strictObject({
  name: name(limits.view_name).optional(),
  filters: ViewFilters.optional(),
})
