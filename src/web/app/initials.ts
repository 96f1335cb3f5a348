/** "Ada Lovelace" → AL, "王小明" → 小明 */
export function initials(name: string): string {
  const [first = '', second = ''] = name.trim().split(/\s+/)
  if (/\p{Script=Han}/u.test(first)) return [...first].slice(-2).join('')
  return [first, second]
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
