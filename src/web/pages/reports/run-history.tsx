export function RunHistory() {
  return null
}
