import { configOfProcess } from '../command.ts'
import { serve } from '../serve.ts'

// `sheetcast serve` for tests, whose leases may be shorter.
process.exitCode = await serve(configOfProcess(), { lease_s: Number(process.env.LEASE_S ?? 10) })
