// Imported before a program of a test and the processes that it starts: their clock is wrong by the first of
// `?jumps_ms=`, and jumps to the next one every few seconds.

const jumps = (new URL(import.meta.url).searchParams.get('jumps_ms') ?? '0').split(',').map(Number)
const EVERY_MS = 2500
const { now } = Date
const wrongNow = () => now() + (jumps[Math.floor(performance.now() / EVERY_MS) % jumps.length] ?? 0)

globalThis.Date = new Proxy(Date, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [wrongNow()] : args, made),
  get: (target, name) => (name === 'now' ? wrongNow : Reflect.get(target, name)),
})
