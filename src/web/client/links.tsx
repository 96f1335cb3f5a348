import { Box, Button, type BoxProps, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type Native = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & {
  ref?: Ref<HTMLAnchorElement>
}

/** A button that goes to a page; `to` and `search` are checked against the routes. */
export const LinkButton = createLink((props: Native & ButtonProps) => <Button component="a" {...props} />)

/** A link in running text or a table. */
export const LinkText = createLink((props: Native & BoxProps) => <Box component="a" {...props} />)
