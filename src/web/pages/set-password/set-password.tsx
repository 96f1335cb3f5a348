export function SetPassword() {
  return null
}
