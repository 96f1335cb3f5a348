/**
 * The work ends at the n-th point, as if its process had been killed: nothing of it goes on. Returns where;
 * null: it has fewer.
 */
export async function dieAt(
  point: number,
  work: (step: (name: string) => Promise<void>) => Promise<unknown>,
): Promise<string | null> {
  const dead = Promise.withResolvers<string>()
  let points = 0
  const step = async (name: string) => {
    points += 1
    if (points < point) return
    dead.resolve(name)
    await new Promise(() => {})
  }
  return await Promise.race([dead.promise, work(step).then(() => null)])
}
