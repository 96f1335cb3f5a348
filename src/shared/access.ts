/** Roles, from the least to the most privileged; the index is the level. */
export const identities = ['external_user', 'staff', 'manager', 'director', 'superuser'] as const
export type IdentityName = (typeof identities)[number]

export const levelOf = (identity: IdentityName): number => identities.indexOf(identity)
export const isAtLeast = (identity: IdentityName, least: IdentityName) => levelOf(identity) >= levelOf(least)

export const FINANCE = 7
const RESEARCH_DEVELOPMENT = 6

/** The caller, as far as the policy needs to know. */
export interface Person {
  id: number
  identity: IdentityName
  department: number | null
}

/** The least role, or one of the rules that depend on more than a role. */
export type Reach = IdentityName | 'manager_or_finance' | 'director_or_finance' | 'superuser_or_finance'

/** May this person call it or open it at all? Which rows they then see is said below. */
export function mayReach(person: Pick<Person, 'identity' | 'department'>, reach: Reach): boolean {
  if (reach === 'manager_or_finance') return isAtLeast(person.identity, 'manager') || isFinance(person)
  if (reach === 'director_or_finance') return isAtLeast(person.identity, 'director') || isFinance(person)
  if (reach === 'superuser_or_finance') return person.identity === 'superuser' || isFinance(person)
  return isAtLeast(person.identity, reach)
}

export const isInternal = (person: Pick<Person, 'identity'>) => isAtLeast(person.identity, 'staff')

const isFinance = (person: Pick<Person, 'identity' | 'department'>) =>
  isInternal(person) && person.department === FINANCE

/** Who reads everybody's issues, answers them and grants longer ranges. */
export const isSupportEditor = (person: Pick<Person, 'identity' | 'department'>) =>
  person.identity === 'superuser' || (isInternal(person) && person.department === RESEARCH_DEVELOPMENT)

/** Of those who may change a row: may this person also delete it or stop it? Its maker, or a manager. */
export const isMakerOrManager = (person: Person, { created_by }: { created_by: number | null }): boolean =>
  created_by === person.id || isAtLeast(person.identity, 'manager')

/**
 * Whose advertisers (and with them ad accounts and spreadsheets) one may use. member: those one is a member
 * of; department: also those of the members of one's own department; all: every one.
 */
export const advertiserScope = {
  external_user: 'member',
  staff: 'member',
  manager: 'department',
  director: 'all',
  superuser: 'all',
} as const satisfies Record<IdentityName, 'member' | 'department' | 'all'>

/**
 * Whose customers, orders, payments and spending one may see: finance every one's, beside the accounts that
 * it may use itself.
 */
export const billingScope = (person: Pick<Person, 'identity' | 'department'>) =>
  isFinance(person) ? 'all' : advertiserScope[person.identity]

/**
 * Whose reports one may count by team and by client: a manager those of the own department. Nobody else calls
 * it; what is in the reports stays with those who see them.
 */
export const teamScope = {
  external_user: 'none',
  staff: 'none',
  manager: 'department',
  director: 'all',
  superuser: 'all',
} as const satisfies Record<IdentityName, 'none' | 'department' | 'all'>

/**
 * Whose accounts of people one may see: the agency's own people see all, clients those of their own
 * advertisers.
 */
export const peopleScope = {
  external_user: 'same_advertiser',
  staff: 'all',
  manager: 'all',
  director: 'all',
  superuser: 'all',
} as const satisfies Record<IdentityName, 'same_advertiser' | 'all'>

/** Whether everything of a visible person may be read; else it is the name and the state. */
export const seesWholePerson = (viewer: Person, person: Pick<Person, 'identity'>) =>
  isInternal(viewer) || !isInternal(person)

/** How a report becomes visible to a person. */
export type ReportAccess = 'owner' | 'editor' | 'viewer' | 'superuser'

/** How the person has access to a report; null when they do not. */
export function reportAccess(
  person: Person,
  report: { owner: number },
  share: { access: 'viewer' | 'editor' } | null,
): ReportAccess | null {
  if (report.owner === person.id) return 'owner'
  if (person.identity === 'superuser') return 'superuser'
  return share?.access ?? null
}

/** What one may do with a visible report. */
const reportRights = {
  see: ['owner', 'editor', 'viewer', 'superuser'],
  run: ['owner', 'editor', 'viewer', 'superuser'],
  copy: ['owner', 'editor', 'viewer', 'superuser'],
  change: ['owner', 'editor', 'superuser'],
  /** Into a folder of the owner. */
  move: ['owner', 'superuser'],
  /** Into a folder of one's own, unseen by the owner. */
  file: ['editor', 'viewer'],
  share: ['owner', 'superuser'],
  delete: ['owner', 'superuser'],
  restore: ['owner', 'superuser'],
} as const satisfies Record<string, readonly ReportAccess[]>
export type ReportAction = keyof typeof reportRights

export const mayDo = (access: ReportAccess, action: ReportAction): boolean =>
  reportRights[action].some(allowed => allowed === access)

/** Whether spreadsheets can be created for a person, or why not. */
export const spreadsheetCreations = [
  'available',
  /** A service account cannot own files: with Google, only a person who has connected their account can. */
  'no_connected_account',
  /** The owner of a file is known by their confirmed address. */
  'no_confirmed_email',
  /** A client of no advertiser has nobody to whom a spreadsheet could belong. */
  'no_advertiser',
] as const
export type SpreadsheetCreation = (typeof spreadsheetCreations)[number]

export function spreadsheetCreationFor(
  person: Person & { email: string | null; email_confirmed: boolean },
  { has_service, advertisers }: { has_service: boolean; advertisers: 'all' | readonly number[] },
): SpreadsheetCreation {
  if (!has_service) return 'no_connected_account'
  if (person.email === null || !person.email_confirmed) return 'no_confirmed_email'
  return isInternal(person) || advertisers === 'all' || advertisers.length > 0 ? 'available' : 'no_advertiser'
}

/**
 * Whose a spreadsheet is: an advertiser's, or, without one, that of the person who has proven it and of the
 * department that they were in.
 */
export interface SpreadsheetScope {
  advertiser: number | null
  proven_by: number | null
  department: number | null
}

/** May this person use a spreadsheet of that scope? No role is enough for one that is not an advertiser's. */
export function mayUseSpreadsheet(
  person: Person,
  { advertiser, proven_by, department }: SpreadsheetScope,
  advertisers: 'all' | readonly number[],
): boolean {
  if (advertiser !== null) return advertisers === 'all' || advertisers.includes(advertiser)
  const isColleague = department !== null && person.department === department
  return isInternal(person) && (person.id === proven_by || isColleague)
}
