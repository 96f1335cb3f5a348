/**
 * The display name of a person: their name, or the one that they sign in with; '' when it is hidden from the
 * reader.
 */
export const nameOf = ({ full_name, username }: { full_name: string; username: string | null }): string =>
  full_name || (username ?? '')
