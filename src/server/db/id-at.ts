/**
 * The smallest id that a run or an execution of that instant can have: ids begin with the time, so that no
 * other index is needed.
 */
export function idAt(instant: Date): string {
  const hex = instant.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
