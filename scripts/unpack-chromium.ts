// Unpacks the Chromium of an npm package into the temporary directory, where it is not there yet.
import chromium from '@sparticuz/chromium'

await chromium.executablePath()
