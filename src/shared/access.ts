/** Roles, least first; the index is the level. */
export const identities = ['external_user', 'staff', 'manager', 'director', 'superuser'] as const
export type IdentityName = (typeof identities)[number]

export const levelOf = (identity: IdentityName): number => identities.indexOf(identity)
export const isAtLeast = (identity: IdentityName, least: IdentityName) => levelOf(identity) >= levelOf(least)

export const FINANCE = 7
