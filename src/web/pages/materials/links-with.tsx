import { useQuery } from '@tanstack/react-query'
import type { LinkList } from '#shared/api/links.ts'
import { client } from '#web/client/client.ts'
import { LinkText } from '#web/client/links.tsx'
import type { Problem } from '#web/client/problem.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './materials.module.css'
import type { MaterialKind } from './paths.ts'

const MOST = 5

interface LinksWithProps {
  kind: MaterialKind
  id: number
  /** How many there are. */
  count: number
  /** Whether leaving the page would lose what has been written beside them: they open in another tab. */
  isChanged: boolean
}

/** The campaign links that have an image or a file, those that were made last. */
export function LinksWith({ kind, id, count, isChanged }: LinksWithProps) {
  const { t } = useTranslation('materials')
  const { data } = useQuery<LinkList, Problem>({
    queryKey: ['links', 'with', kind, id],
    queryFn: ({ signal }) => client.get('/api/ad/', { query: { [kind]: id, limit: MOST }, signal }),
    enabled: count > 0,
  })
  const links = data?.results ?? []
  const target = isChanged ? { target: '_blank' } : {}
  if (count === 0) return t('unused')
  return (
    <>
      {t('links', { count })}
      {links.length > 0 && (
        <ul className={styles.links}>
          {links.map(link => (
            <li key={link.id}>
              <LinkText
                to="/advertisement/create-link"
                search={{ search: '', page: 1, link: link.id }}
                {...target}
              >
                {link.name}
              </LinkText>
            </li>
          ))}
          {count > links.length && (
            <li>
              <LinkText
                to="/advertisement/create-link"
                search={{ search: '', page: 1, [kind]: id }}
                {...target}
              >
                {t('links_all', { count })}
              </LinkText>
            </li>
          )}
        </ul>
      )}
    </>
  )
}
