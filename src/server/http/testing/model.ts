import { identities, type IdentityName } from '#shared/access.ts'

/**
 * Who may see and do what, written down a second time, apart from shared/access.ts and from every query:
 * plain sets, and one sentence of the specification after the other. People, advertisers and accounts are
 * their indexes; ids are the API's.
 */
export interface ModelPerson {
  identity: IdentityName
  department: number | null
  advertisers: Set<number>
  is_open: boolean
}

export interface ModelReport {
  owner: number
  name: string
  accounts: Set<number>
  /** A block of it has lost its account to a copy: it cannot run before that is corrected. */
  is_incomplete: boolean
  is_deleted: boolean
  shares: Map<number, 'viewer' | 'editor'>
}

/** The meaning of a response's status. */
export type Outcome = 'done' | 'missing' | 'forbidden' | 'invalid' | 'signed_out'

/** Each advertiser has two accounts: the advertiser of account n is n / 2. */
export const ACCOUNTS = 6
export const advertiserOf = (account: number) => Math.floor(account / 2)

export class Model {
  readonly people: ModelPerson[]
  readonly reports = new Map<number, ModelReport>()

  constructor(people: readonly ModelPerson[]) {
    this.people = people.map(person => ({ ...person, advertisers: new Set(person.advertisers) }))
  }

  person(who: number): ModelPerson {
    const found = this.people[who]
    if (!found) throw new Error(`nobody is at ${who}`)
    return found
  }

  report(id: number): ModelReport {
    const found = this.reports.get(id)
    if (!found) throw new Error(`there is no report ${id}`)
    return found
  }

  isClient(who: number) {
    return this.person(who).identity === 'external_user'
  }

  /**
   * Clients and staff use what they are members of, managers also what their department's people serve,
   * directors and superusers all.
   */
  advertisers(who: number): Set<number> {
    const { identity, department, advertisers } = this.person(who)
    if (identities.indexOf(identity) >= 3) return new Set([0, 1, 2])
    const used = new Set(advertisers)
    if (identity === 'manager' && department !== null)
      for (const colleague of this.people)
        if (colleague.department === department && colleague.identity !== 'external_user')
          for (const each of colleague.advertisers) used.add(each)
    return used
  }

  /** Who may be seen as a customer: by finance, department 7 of the agency, all. */
  customers(who: number): Set<number> {
    const isFinance = this.person(who).department === 7 && !this.isClient(who)
    return isFinance ? new Set([0, 1, 2]) : this.advertisers(who)
  }

  accounts(who: number): number[] {
    const advertisers = this.advertisers(who)
    return Array.from({ length: ACCOUNTS }, (_, n) => n).filter(n => advertisers.has(advertiserOf(n)))
  }

  /** Whose orders one sees: finance everybody's; clients none. */
  billed(who: number): Set<number> {
    const isFinance = this.person(who).department === 7
    return isFinance ? new Set([0, 1, 2]) : this.advertisers(who)
  }

  /** The agency's people see everybody, clients those of their own advertisers. */
  seesPerson(who: number, other: number): boolean {
    if (who === other || !this.isClient(who)) return true
    return [...this.person(who).advertisers].some(advertiser =>
      this.person(other).advertisers.has(advertiser),
    )
  }

  access(who: number, id: number): 'owner' | 'superuser' | 'editor' | 'viewer' | null {
    const report = this.reports.get(id)
    if (!report) return null
    if (report.owner === who) return 'owner'
    if (this.person(who).identity === 'superuser') return 'superuser'
    return report.shares.get(who) ?? null
  }

  /** Without the deleted ones. */
  sees(who: number, id: number): boolean {
    return this.access(who, id) !== null && !this.report(id).is_deleted
  }

  ids(matches: (report: ModelReport) => boolean): number[] {
    return [...this.reports]
      .filter(([, report]) => matches(report))
      .map(([id]) => id)
      .toSorted((one, other) => one - other)
  }

  list(who: number, scope: 'mine' | 'shared' | 'all' | 'seen' | 'deleted', search = ''): number[] | null {
    if (scope === 'all' && this.person(who).identity !== 'superuser') return null
    return this.ids(report => {
      if (report.is_deleted !== (scope === 'deleted')) return false
      if (!report.name.toLowerCase().includes(search.toLowerCase())) return false
      if (scope === 'all') return true
      const isShared = report.owner !== who && report.shares.has(who)
      if (scope === 'mine' || scope === 'deleted') return report.owner === who
      return scope === 'shared' ? isShared : isShared || report.owner === who
    })
  }

  /** A visible person who can sign in; a client only for reports on accounts of their own advertisers. */
  mayReceive(who: number, recipient: number, accounts: ReadonlySet<number>): boolean {
    if (!this.seesPerson(who, recipient) || !this.person(recipient).is_open) return false
    if (!this.isClient(recipient)) return true
    const usable = new Set(this.accounts(recipient))
    return [...accounts].every(account => usable.has(account))
  }

  /** A report is not shown to a client any more who may not use all of its accounts. */
  endStrangeShares(whom: number): void {
    if (!this.isClient(whom)) return
    const usable = new Set(this.accounts(whom))
    for (const { accounts, shares } of this.reports.values())
      if ([...accounts].some(account => !usable.has(account))) shares.delete(whom)
  }

  /** Why not, in the order of the checks: does it exist for them, may they, is what they request possible. */
  outcome(who: number, id: number, may: readonly string[], isPossible = true): Outcome {
    const access = this.access(who, id)
    if (!this.person(who).is_open) return 'signed_out'
    if (access === null || this.report(id).is_deleted) return 'missing'
    if (!may.includes(access)) return 'forbidden'
    return isPossible ? 'done' : 'invalid'
  }
}
