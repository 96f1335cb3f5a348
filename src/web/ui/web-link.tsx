/** An address on the web, in a tab of its own; without what every address has. */
export function WebLink({ url, className }: { url: string; className?: string | undefined }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer" className={className}>
      {url.replace(/^https?:\/\/|\/$/g, '')}
    </a>
  )
}
