/** What people call somebody: by their name, or as they sign in; '' for whom one is not told. */
export const nameOf = ({ full_name, username }: { full_name: string; username: string | null }): string =>
  full_name || (username ?? '')
