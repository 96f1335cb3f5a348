import { GraphError } from '#sandbox/meta/errors.ts'

// How Meta refuses what is asked of audiences, by code and subcode.

export const notClaimed = (accountId: string) =>
  denied(1_870_050, `The ad account ${accountId} is not claimed by a business`)

export const termsNotAccepted = (accountId: string) =>
  denied(
    1_870_090,
    `To create or edit an audience uploaded from a customer list, you need to agree to the Custom Audience terms: https://business.facebook.com/ads/manage/customaudiences/tos/?act=${accountId}`,
  )

/** An audience that is here by a share, or for reading alone. */
export const noRight = () =>
  new GraphError(403, 200, '(#200) You do not have permission to edit this audience')

export const flagged = {
  upload: () => refusal(100, 1_713_230, 'Uploading to this audience is blocked: it is flagged'),
  edit: () => refusal(100, 1_713_231, 'Editing this audience is blocked: it is flagged'),
  seed: () => refusal(100, 1_713_232, 'This audience cannot be a seed: it is flagged'),
}

export const update = {
  in_progress: () => refusal(2650, 1_870_145, 'An update of this audience is in progress'),
  not_fully_updated: () => refusal(2650, 1_870_148, 'The audience is not fully updated'),
  no_first_batch: () => refusal(2650, 1_870_147, 'The first batch of this session has not been received'),
  over_time: () => refusal(2650, 1_870_158, 'The session has lasted for more than 90 minutes'),
  finished: () => refusal(2650, 1_870_159, 'The session has finished'),
}

export const tooManyAudiences = (most: number) =>
  new GraphError(400, 2654, `(#2654) Failed to create custom audience: the account has ${most} already`)

export const hasLookalikes = () =>
  new GraphError(400, 2656, '(#2656) Failed to delete custom audience: lookalike audiences are made from it')

export const missing = (name: string) => new GraphError(400, 194, `(#194) Missing parameter: ${name}`)

/** What Meta has and the sandbox has not. */
export const notEmulated = (what: string) =>
  new GraphError(501, 1, `Not supported by the sandbox: ${what}`, { type: 'GraphMethodException' })

/** By name, for the control endpoint. */
export const NOT_EMULATED = [
  'audiences of other subtypes than CUSTOM, WEBSITE and LOOKALIKE',
  'keys of a payload that are not hashed: MADID, EXTERN_ID, PAGEUID, LOOKALIKE_VALUE',
  'adding people through usersofanyaudience',
  'rules with exclusions, or about more than url (i_contains, eq) and event (eq)',
  'lookalikes in other countries than TW, JP and US, and of several countries',
  'agreements between businesses that share audiences',
]

const denied = (subcode: number, message: string) =>
  new GraphError(403, 200, `(#200) ${message}`, { error_subcode: subcode })

const refusal = (code: number, subcode: number, message: string) =>
  new GraphError(400, code, `(#${code}) ${message}`, { error_subcode: subcode })
