import styles from './materials.module.css'

/** The first few tags, and how many more there are. */
export function TagList({ tags, most = 3 }: { tags: readonly string[]; most?: number }) {
  if (tags.length === 0) return null
  const more = tags.slice(most)
  return (
    <span className={styles.tags}>
      {tags.slice(0, most).map(tag => (
        <span key={tag}>{tag}</span>
      ))}
      {more.length > 0 && <span title={more.join('\n')}>+{more.length}</span>}
    </span>
  )
}
