import { findEmbedded } from '#server/db/embedded.ts'
import { startProduct, type Product } from '#server/main.ts'
import { configOfProcess } from './command.ts'
import { commandLog } from './log.ts'

/**
 * The product for one command: beside a process that runs on this data folder it shares that one's database
 * and sandbox, and leaves the work to it; alone it starts what the command needs.
 */
export async function joinOrStart(command: string): Promise<Product> {
  const config = configOfProcess()
  const beside = config.database_url === null && (await findEmbedded(config.data_dir)) !== null
  const log = commandLog(config.log_level === 'info' ? 'error' : config.log_level)
  return await startProduct({ ...config, roles: beside ? [] : ['worker'] }, log, { command, beside })
}
