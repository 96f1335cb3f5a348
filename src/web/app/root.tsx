import { Outlet } from '@tanstack/react-router'
import { InformationArea } from './information-area.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { ProgressBar } from './progress-bar.tsx'
import { ToastArea } from './toast-area.tsx'

/** What is on every page, signed in or not. */
export function Root() {
  return (
    <>
      <ProgressBar />
      <OfflineBanner />
      <Outlet />
      <ToastArea />
      <InformationArea />
    </>
  )
}
