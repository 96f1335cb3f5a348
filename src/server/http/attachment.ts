/** The header under which a browser saves a response as a file of this name, whatever its characters. */
export const attachment = (fileName: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(fileName)}`
