// Beside the state, which travels by the platform, there is a nonce, which stays in this tab.

const keyOf = (state: string) => `connect:${state}`

/** To the page of the platform. */
export function leaveToConnect({ url, nonce }: { url: string; nonce: string }): void {
  sessionStorage.setItem(keyOf(new URL(url).searchParams.get('state') ?? ''), nonce)
  location.assign(url)
}

/** Empty when the person left in another tab or browser. */
export function takeNonce(state: string): string {
  const nonce = sessionStorage.getItem(keyOf(state)) ?? ''
  sessionStorage.removeItem(keyOf(state))
  return nonce
}
