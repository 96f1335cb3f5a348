/** The pause after so many failures in a row: each twice as long as the one before, up to the longest. */
export const backoffMs = (
  failures: number,
  { first_ms, longest_ms }: { first_ms: number; longest_ms: number },
): number => Math.min(first_ms * 2 ** (failures - 1), longest_ms)
