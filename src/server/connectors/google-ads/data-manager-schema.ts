import { z } from 'zod'

const count = z.string().regex(/^\d+$/).transform(Number).default(0)

/** One user list of an account. Counts that are nought are left out of it. */
export const UserList = z.object({
  id: z.string().regex(/^\d+$/),
  displayName: z.string().default(''),
  membershipStatus: z.string().default('OPEN'),
  sizeInfo: z.object({ displayNetworkMembersCount: count, searchNetworkMembersCount: count }).prefault({}),
  ingestedUserListInfo: z
    .object({ contactIdInfo: z.object({ matchRatePercentage: z.number().optional() }).prefault({}) })
    .prefault({}),
})
export type UserList = z.infer<typeof UserList>

export const UserListPage = z.object({
  userLists: z.array(UserList).default([]),
  nextPageToken: z.string().optional(),
})

export const Accepted = z.object({ requestId: z.string().min(1) })

/** Of anything that only has to have been done. */
export const Done = z.object({})

const RANGE = 'MATCH_RATE_RANGE_'

/** What became of a request, for each destination in its order. */
export const RequestStatus = z.object({
  requestStatusPerDestination: z.array(
    z.object({
      destination: z.object({ productDestinationId: z.string().default('') }).prefault({}),
      requestStatus: z.string().default('REQUEST_STATUS_UNKNOWN'),
      errorInfo: z
        .object({ errorCounts: z.array(z.object({ reason: z.string().default('') })).default([]) })
        .prefault({}),
      audienceMembersIngestionStatus: z
        .object({
          userDataIngestionStatus: z
            .object({
              uploadMatchRateRange: z
                .string()
                .transform(range => range.replace(RANGE, ''))
                .optional(),
            })
            .prefault({}),
        })
        .prefault({}),
    }),
  ),
})
export type DestinationStatus = z.infer<typeof RequestStatus>['requestStatusPerDestination'][number]

const Detail = z.object({
  reason: z.string().optional(),
  requestId: z.string().optional(),
  fieldViolations: z.array(z.object({ field: z.string().optional() })).optional(),
})

/** A refusal: its reason, the first field that is wrong, and the request's number for Google's support. */
export const DataManagerRefusal = z.object({
  error: z
    .object({
      message: z.string().default(''),
      status: z.string().default(''),
      details: z.array(Detail).catch([]),
    })
    .transform(({ message, status, details }) => {
      const reasons = details.flatMap(({ reason }) => reason ?? [])
      const fields = details.flatMap(({ fieldViolations = [] }) =>
        fieldViolations.map(({ field = '' }) => field),
      )
      const [request_id = null] = details.flatMap(({ requestId }) => requestId ?? [])
      return { message, reason: reasons[0] ?? status, field: fields[0] ?? '', request_id }
    }),
})
