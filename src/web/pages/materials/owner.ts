/** Whose a material is: an advertiser's, or the agency's own. */
export type Owner = number | 'agency'

export const advertiserOf = (owner: Owner): number | null => (owner === 'agency' ? null : owner)
