/** Whose a material is: an advertiser's, or the agency's own. */
export type Owner = number | 'agency'

export const ownerOf = (advertiser: number | null): Owner => advertiser ?? 'agency'
export const advertiserOf = (owner: Owner): number | null => (owner === 'agency' ? null : owner)
