export function ReportList() {
  return null
}
