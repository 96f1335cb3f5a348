import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect } from 'react'
import { information } from '#web/client/information.ts'
import { useStore } from '#web/client/store.ts'
import { lazy } from '#web/visit/lazy.ts'

const InformationDialog = lazy(async () => ({
  default: (await import('#web/ui/information-dialog.tsx')).InformationDialog,
}))

/** The dialog of `inform`; going to another page closes it. */
export function InformationArea() {
  const router = useRouter()
  const content = useStore(information)
  useEffect(() => router.subscribe('onBeforeNavigate', () => information.set(null)), [router])
  if (content === null) return null
  return (
    <Suspense>
      <InformationDialog opened {...content} onClose={() => information.set(null)} />
    </Suspense>
  )
}
