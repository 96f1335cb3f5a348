import { Button } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import type { ErrorComponentProps } from '@tanstack/react-router'
import { isReached } from '#web/client/reachability.ts'
import { isStaleVersion } from '#web/client/stale-version.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'

/**
 * Shown instead of a part of a page whose code could not be loaded: the rest of the page stays. For a
 * `CatchBoundary`.
 */
export function PartError({ error }: Pick<ErrorComponentProps, 'error'>) {
  const { t } = useTranslation('app')
  if (!isStaleVersion(error)) throw error
  return (
    <div role="alert">
      <EmptyState
        icon={IconCloudOff}
        title={t('part_missing.title')}
        detail={t('part_missing.detail')}
        actions={
          <Button variant="default" onClick={() => void loadAgain()}>
            {t('new_version.reload')}
          </Button>
        }
      />
    </div>
  )
}

/**
 * The whole page: browsers remember which files failed to load, and those of an older version will never
 * come.
 */
async function loadAgain() {
  if (await isReached()) location.reload()
}
