import styles from './initials.module.css'

/** A person's initials in a circle, beside the name: decoration, so not read out. */
export function Initials({ name }: { name: string }) {
  return (
    <span className={styles.initials} aria-hidden>
      {initialsOf(name)}
    </span>
  )
}

/** "Ada Lovelace" → AL, "王小明" → 小明 */
function initialsOf(name: string): string {
  const [first = '', second = ''] = name.trim().split(/\s+/)
  if (/\p{Script=Han}/u.test(first)) return [...first].slice(-2).join('')
  return [first, second]
    .map(word => [...word][0] ?? '')
    .join('')
    .toUpperCase()
}
