import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { meQuery, useKnownMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useSignOut } from '#web/client/sign-out.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { SetUp } from './set-up.tsx'

/** Shown instead of everything else to people whose role needs a second factor that they have not set up. */
export function SecondFactorRequired() {
  const { t } = useTranslation('second_factor')
  const { username } = useKnownMe()
  const { redirect = '/' } = useSearch({ from: '/second-factor' })
  const router = useRouter()
  const queries = useQueryClient()
  const signOut = useSignOut()
  usePageTitle(t('duty_title'))
  const goOn = async () => {
    await queries.refetchQueries(meQuery)
    // What was refused until now is requested again.
    queries.removeQueries({ predicate: query => query.queryKey[0] !== 'me' })
    router.history.push(redirect)
  }
  return (
    <EntryPage title={t('duty_title')} detail={t('duty_detail')}>
      <SetUp username={username} enabled={false} onDone={() => void goOn()} />
      <Button
        variant="subtle"
        size="compact-sm"
        mt="md"
        ml={-8}
        loading={signOut.isPending}
        onClick={() => signOut.mutate({ everywhere: false })}
      >
        {t('duty_sign_out')}
      </Button>
    </EntryPage>
  )
}
