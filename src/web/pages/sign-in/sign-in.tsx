export function SignIn() {
  return null
}
