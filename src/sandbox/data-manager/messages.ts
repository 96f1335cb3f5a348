import { z } from 'zod'
import { malformed, notEmulated } from './errors.ts'

// What a message may have. Members that it does not have are refused, as Google's front end does; both
// spellings of a name are read.

/** One of some names, or its number among them. */
const oneOf = <const Names extends readonly [string, ...string[]]>(...names: Names) =>
  z.preprocess(value => (typeof value === 'number' ? (names[value] ?? value) : value), z.enum(names))

const TYPES = ['GOOGLE_ADS', 'DISPLAY_VIDEO_PARTNER', 'DISPLAY_VIDEO_ADVERTISER', 'DATA_PARTNER'] as const
const Account = z.strictObject({
  accountType: oneOf(
    'ACCOUNT_TYPE_UNSPECIFIED',
    ...TYPES,
    'GOOGLE_ANALYTICS_PROPERTY',
    'GOOGLE_AD_MANAGER_AUDIENCE_LINK',
  ).default('ACCOUNT_TYPE_UNSPECIFIED'),
  /** The older name of the type. */
  product: oneOf('PRODUCT_UNSPECIFIED', ...TYPES).default('PRODUCT_UNSPECIFIED'),
  accountId: z.string().default(''),
})
export type AccountMessage = z.infer<typeof Account>

const Destination = z.strictObject({
  reference: z.string().default(''),
  loginAccount: Account.optional(),
  linkedAccount: Account.optional(),
  operatingAccount: Account.optional(),
  productDestinationId: z.string().default(''),
})
export type DestinationMessage = z.infer<typeof Destination>

const status = oneOf('CONSENT_STATUS_UNSPECIFIED', 'CONSENT_GRANTED', 'CONSENT_DENIED')
const Consent = z.strictObject({ adUserData: status.optional(), adPersonalization: status.optional() })
export type Consent = z.infer<typeof Consent>

const Member = z.strictObject({
  destinationReferences: z.array(z.string()).default([]),
  userData: z
    .strictObject({
      userIdentifiers: z
        .array(z.strictObject({ emailAddress: z.string().optional(), phoneNumber: z.string().optional() }))
        .default([]),
    })
    .optional(),
  consent: Consent.optional(),
})
export type MemberMessage = z.infer<typeof Member>

const Remove = z.strictObject({
  destinations: z.array(Destination).default([]),
  audienceMembers: z.array(Member).default([]),
  validateOnly: z.boolean().default(false),
  encoding: oneOf('ENCODING_UNSPECIFIED', 'HEX', 'BASE64').default('ENCODING_UNSPECIFIED'),
})
const Ingest = Remove.extend({
  consent: Consent.optional(),
  termsOfService: z
    .strictObject({
      customerMatchTermsOfServiceStatus: oneOf(
        'TERMS_OF_SERVICE_STATUS_UNSPECIFIED',
        'ACCEPTED',
        'REJECTED',
      ).optional(),
    })
    .optional(),
})
export type MembersMessage = z.infer<typeof Remove> & Partial<z.infer<typeof Ingest>>

const RemoveAll = z.strictObject({
  destinations: z.array(Destination).default([]),
  removeAsOfTime: z.iso.datetime({ offset: true }).optional(),
  validateOnly: z.boolean().default(false),
})

const UserList = z.strictObject({
  name: z.string().optional(),
  displayName: z.string().optional(),
  description: z.string().optional(),
  membershipStatus: oneOf('MEMBERSHIP_STATUS_UNSPECIFIED', 'OPEN', 'CLOSED').optional(),
  integrationCode: z.string().optional(),
  membershipDuration: z
    .string()
    .regex(/^-?\d+(\.\d{1,9})?s$/)
    .optional(),
  ingestedUserListInfo: z
    .strictObject({
      uploadKeyTypes: z
        .array(
          oneOf(
            'UPLOAD_KEY_TYPE_UNSPECIFIED',
            'CONTACT_ID',
            'MOBILE_ID',
            'USER_ID',
            'PAIR_ID',
            'PSEUDONYMOUS_ID',
          ),
        )
        .default([]),
      contactIdInfo: z
        .strictObject({
          dataSourceType: oneOf(
            'DATA_SOURCE_TYPE_UNSPECIFIED',
            'DATA_SOURCE_TYPE_FIRST_PARTY',
            'DATA_SOURCE_TYPE_THIRD_PARTY_CREDIT_BUREAU',
            'DATA_SOURCE_TYPE_THIRD_PARTY_VOTER_FILE',
            'DATA_SOURCE_TYPE_THIRD_PARTY_PARTNER_DATA',
          ).optional(),
        })
        .optional(),
    })
    .optional(),
})
export type UserListMessage = z.infer<typeof UserList>

export const readIngest = (text: string) => read(Ingest, text)
export const readRemove = (text: string) => read(Remove, text)
export const readRemoveAll = (text: string) => read(RemoveAll, text)
export const readUserList = (text: string) => read(UserList, text)

/** Members of messages that Google knows and this sandbox does not. */
export const NOT_EMULATED_MEMBERS = [
  'address',
  'pairData',
  'mobileData',
  'userIdData',
  'ppidData',
  'compositeData',
  'googleUserIdData',
  'partnerProvidedIdData',
  'encryptionInfo',
  'mobileIdInfo',
  'userIdInfo',
  'pairIdInfo',
  'partnerAudienceInfo',
  'pseudonymousIdInfo',
  'accountAccessStatus',
  'targetNetworkInfo',
]
const gaps = new Set(NOT_EMULATED_MEMBERS)
/** What only answers have; in requests it is ignored. */
const OUTPUT_ONLY = new Set([
  'id',
  'readOnly',
  'closingReason',
  'accessReason',
  'sizeInfo',
  'matchRatePercentage',
])

function read<T>(schema: z.ZodType<T>, text: string): T {
  const result = schema.safeParse(tidied(parsed(text)))
  if (result.success) return result.data
  throw complaint(result.error.issues)
}

function parsed(text: string): unknown {
  if (text.trim() === '') return {}
  try {
    return JSON.parse(text)
  } catch {
    throw malformed('Unexpected token.')
  }
}

/** The names in one spelling, without nulls and what only answers have. */
function tidied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidied)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([spelling, member]): [string, unknown][] => {
      const name = camelCase(spelling)
      if (gaps.has(name)) throw notEmulated(name)
      return member === null || OUTPUT_ONLY.has(name) ? [] : [[name, tidied(member)]]
    }),
  )
}

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
export const snakeCase = (name: string) => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

function complaint(issues: readonly z.core.$ZodIssue[]): Error {
  const [issue] = issues
  const path = (issue?.path ?? []).map(part =>
    typeof part === 'number' ? `[${part}]` : `.${snakeCase(String(part))}`,
  )
  const at = path.join('').slice(1)
  return issue?.code === 'unrecognized_keys'
    ? malformed(`Unknown name "${issue.keys[0]}"${at && ` at '${at}'`}: Cannot find field.`, at)
    : malformed(`Invalid value at '${at}' (${issue?.message ?? ''})`, at)
}
