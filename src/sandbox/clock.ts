/** Where every part of the sandbox takes the time from: milliseconds since 1970. */
export interface Clock {
  now(): number
}

/**
 * A clock that a test or a person can set: it runs on from the given instant, `speed` times as fast as real
 * time.
 */
export interface SettableClock extends Clock {
  set(change: { now?: number | undefined; speed?: number | undefined }): void
  reset(): void
  state(): { now: string; speed: number; set: boolean }
}

export function createClock(realNow: () => number = Date.now): SettableClock {
  const real = { base: 0, realBase: 0, speed: 1, set: false }
  let setting = real
  const now = () =>
    setting.set ? Math.floor(setting.base + (realNow() - setting.realBase) * setting.speed) : realNow()

  return {
    now,
    set(change) {
      setting = {
        base: change.now ?? now(),
        realBase: realNow(),
        speed: change.speed ?? setting.speed,
        set: true,
      }
    },
    reset() {
      setting = real
    },
    state: () => ({ now: new Date(now()).toISOString(), speed: setting.speed, set: setting.set }),
  }
}
