import { createRequestLimits, queueLimits, type RequestLimits } from '#server/http/request-limits.ts'

/** For tests and measurements in which one person does what a hundred would. */
export function generousLimits(): RequestLimits {
  const endless = {
    of_one: 1_000_000,
    of_all: 1_000_000,
    waiting: 1_000_000,
    waiting_of_all: 1_000_000,
    wait_ms: 600_000,
    retry_after_s: 1,
  }
  const { batch, scan, picture, write } = queueLimits
  const queues = {
    read: endless,
    search: endless,
    export: endless,
    batch,
    preview: endless,
    import: endless,
    upload: endless,
    file: endless,
    scan: { ...endless, of_one: scan.of_all, of_all: scan.of_all },
    follow: endless,
    picture: { ...endless, of_one: picture.of_all, of_all: picture.of_all },
    download: endless,
    // No more than there are sessions for: beyond, a busy machine responds 503.
    write: { ...endless, of_one: write.of_all, of_all: write.of_all },
  }
  return createRequestLimits({ queues, writes: { per_minute: 1e9, burst: 1e9 } })
}
