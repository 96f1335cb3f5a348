export function SheetList() {
  return null
}
