import { createClock } from '#sandbox/clock.ts'
import { hashedIdentifier } from '#sandbox/dataset/mail-people.ts'
import { type Sandbox, type SandboxOptions, startSandbox } from '#sandbox/sandbox.ts'
import { readReply, type Reply } from './reply.ts'

export interface DataManagerClient {
  sandbox: Sandbox
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>
  control(method: string, path: string, body?: unknown): Promise<Reply>
  /** A user list with a name of its own; its id. */
  createList(displayName: string, account?: string): Promise<string>
  /** What a request came to, on the sandbox's clock as it stands. */
  statusOf(requestId: string): Promise<Reply['body']>
}

export const AURORA = '4203141501'
export const JAPAN = '4203141502'
export const FJORD = '9203141507'
export const MANAGER = '1110000001'
export const NOW = Date.parse('2026-11-20T04:00:00Z')

export const pathOf = (account: string) => `accountTypes/GOOGLE_ADS/accounts/${account}`
/** Through the agency's manager. */
export const through = (manager = MANAGER) => ({ 'login-account': pathOf(manager) })

/** A sandbox of its own for a test file, at noon of 20 November 2026 in Taipei. */
export async function startClient(options: SandboxOptions = {}): Promise<DataManagerClient> {
  const clock = createClock()
  clock.set({ now: NOW, speed: 0 })
  const sandbox = await startSandbox({ clock, ...options })
  const send = (path: string, init: RequestInit) => readReply(fetch(`${sandbox.origin}/${path}`, init))
  const written = (body: unknown) =>
    body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const call: DataManagerClient['call'] = (method, path, body, headers = through()) =>
    send(`v1/${path}`, {
      method,
      headers: {
        authorization: 'Bearer sandbox-agency',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...written(body),
    })
  return {
    sandbox,
    call,
    control: (method, path, body) => send(`control/${path}`, { method, ...written(body) }),
    async createList(displayName, account = AURORA) {
      const { body } = await call('POST', `${pathOf(account)}/userLists`, userList(displayName))
      return body.id
    },
    statusOf: async id => (await call('GET', `requestStatus:retrieve?requestId=${id}`)).body,
  }
}

export const userList = (displayName: string, more: object = {}) => ({
  displayName,
  membershipDuration: '46656000s',
  ingestedUserListInfo: {
    uploadKeyTypes: ['CONTACT_ID'],
    contactIdInfo: { dataSourceType: 'DATA_SOURCE_TYPE_FIRST_PARTY' },
  },
  ...more,
})

export const destination = (list: string, more: object = {}) => ({
  loginAccount: { accountType: 'GOOGLE_ADS', accountId: MANAGER },
  operatingAccount: { accountType: 'GOOGLE_ADS', accountId: AURORA },
  productDestinationId: list,
  ...more,
})

const memberOf = (person: number) => ({
  userData: {
    userIdentifiers: [
      { emailAddress: hashedIdentifier(person, 'email') },
      { phoneNumber: hashedIdentifier(person, 'phone_e164') },
    ],
  },
})

/** So many people from one on. */
export const members = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => memberOf(from + index))

export const ingestion = (list: string, audienceMembers: object[], more: object = {}) => ({
  destinations: [destination(list)],
  audienceMembers,
  consent: { adUserData: 'CONSENT_GRANTED', adPersonalization: 'CONSENT_GRANTED' },
  encoding: 'HEX',
  termsOfService: { customerMatchTermsOfServiceStatus: 'ACCEPTED' },
  ...more,
})

/** Status and reason of a refusal, and the fields that it is about. */
export function refusalOf({ status, body }: Reply): (string | number)[] {
  const details: { reason?: string; fieldViolations?: { field: string }[] }[] = body.error.details ?? []
  const fields = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field))
  return [status, details[0]?.reason ?? body.error.status, ...fields]
}
