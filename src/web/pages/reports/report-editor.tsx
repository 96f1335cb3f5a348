export function ReportEditor() {
  return null
}
