import type { UseQueryResult } from '@tanstack/react-query'
import { useTranslation } from '#web/i18n/use-translation.ts'
import styles from './links.module.css'

type Query = Pick<UseQueryResult, 'isLoadingError' | 'refetch'>

/** At a field: its choices could not be read, which is not the same as that there are none. */
export function useNotLoaded() {
  const { t } = useTranslation('links')
  const { t: tErrors } = useTranslation('errors')
  return (choices: 'preset' | 'site' | 'publisher' | 'image' | 'file', ...queries: readonly Query[]) => {
    const failed = queries.find(({ isLoadingError }) => isLoadingError)
    if (!failed) return undefined
    return (
      <>
        {t(`not_loaded.${choices}`)}{' '}
        <button type="button" className={styles.open} onClick={() => void failed.refetch()}>
          {tErrors('retry')}
        </button>
      </>
    )
  }
}
