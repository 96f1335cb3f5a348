import { useIsInternal } from '#web/client/me.ts'
import { AdvertiserPicker, Picker, type AdvertiserPickerProps } from '#web/pages/pickers/pickers.tsx'
import { useOwnAdvertisers } from './data.ts'

/** An advertiser whom the reader serves, or whom they belong to. */
export function AdvertiserField(props: AdvertiserPickerProps) {
  return useIsInternal() ? <AdvertiserPicker {...props} /> : <OwnAdvertiserField {...props} />
}

/** A client has a few, which need no search. */
function OwnAdvertiserField({ active: _active, ...props }: AdvertiserPickerProps) {
  return <Picker {...props} options={useOwnAdvertisers() ?? []} />
}
