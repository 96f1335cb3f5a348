import styles from './materials.module.css'

const MOST = 3

/** The first few tags, and how many more there are. */
export function TagList({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  const more = tags.slice(MOST)
  return (
    <span className={styles.tags}>
      {tags.slice(0, MOST).map(tag => (
        <span key={tag}>{tag}</span>
      ))}
      {more.length > 0 && <span title={more.join('\n')}>+{more.length}</span>}
    </span>
  )
}
