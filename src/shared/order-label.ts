/** The number of an order as it is printed: later revisions of a number have their own. */
export const orderLabel = ({
  number,
  revision,
}: {
  number: string | null
  revision: number
}): string | null => (number === null || revision === 1 ? number : `${number}-${revision}`)
