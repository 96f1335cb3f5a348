export function PermissionSettings() {
  return null
}
