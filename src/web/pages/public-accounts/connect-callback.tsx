import { Loader } from '@mantine/core'
import '@mantine/core/styles/Loader.layer.css'
import { useEffect, useState } from 'react'
import { takeCameBack } from '#web/client/came-back.ts'
import { Me, useKnownMe } from '#web/client/me.ts'
import { usePageTitle } from '#web/client/page-title.ts'
import { useTranslation } from '#web/i18n/use-translation.ts'
import { EntryPage } from '#web/pages/entry-page.tsx'
import { BackButton } from './back-button.tsx'
import { CallbackProblem } from './callback-problem.tsx'
import { useFinishConnect } from './connection-data.ts'
import { ConnectResult } from './connect-result.tsx'
import { takeNonce } from './nonce.ts'
import { OtherPerson } from './other-person.tsx'
import styles from './public-accounts.module.css'

/** Where platforms send people back to: outside of the shell, and for who is signed in. */
export function ConnectCallback() {
  return (
    <Me value={useKnownMe()}>
      <Finish />
    </Me>
  )
}

export function Finish() {
  const { t } = useTranslation('connections')
  usePageTitle(t('callback.title'))
  const [back] = useState(() => {
    const taken = takeCameBack()
    return taken && { ...taken, nonce: takeNonce(taken.state) }
  })
  const finish = useFinishConnect()
  const { mutate } = finish
  useEffect(() => {
    if (back) mutate(back)
  }, [back, mutate])
  if (!back)
    return (
      <EntryPage title={t('callback.title')} detail={t('callback.nothing')}>
        <BackButton />
      </EntryPage>
    )
  if (finish.data) return <ConnectResult result={finish.data} />
  if (finish.error?.code === 'connect_other_person')
    return (
      <OtherPerson
        problem={finish.error}
        onAnswer={isMeant => mutate({ state: back.state, nonce: back.nonce, confirm_other_person: isMeant })}
      />
    )
  if (finish.error) return <CallbackProblem problem={finish.error} />
  return (
    <EntryPage
      title={t('callback.title')}
      detail={
        <span className={styles.pending} role="status">
          <Loader size={14} aria-hidden />
          {t('callback.pending')}
        </span>
      }
    />
  )
}
