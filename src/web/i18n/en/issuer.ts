/** The agency on its documents. */
export const issuer = {
  title: 'Agency details',
  detail: 'How the agency stands on its documents. Those that have been sent keep what they had.',
  part: {
    head: 'Head of documents',
    order: 'Insertion orders',
    payment: 'Requests for payment',
    currency: 'Currency',
  },
  printed: {
    head: 'At the top of insertion orders, statements and requests for payment; the logo small, on white.',
    order:
      'The terms are at the end of new insertion orders, in the order’s language, where they can still be changed.',
    payment: 'The account is on requests for payment, below the amount.',
    currency:
      'Not printed by itself: spending is summed in it, and orders start in it where the customer has no billing currency.',
  },
  field: {
    name: 'Name',
    tax_id: 'Tax ID (Taiwan)',
    jp_tax_id: 'Registration number (Japan)',
    address: 'Address',
    phone: 'Phone',
    logo: 'Logo',
    bank: 'Bank account',
    terms_en: 'Terms in English',
    terms_zh: 'Terms in Chinese',
    base_currency: 'Base currency',
    valid_days: 'Days that a quotation is valid',
  },
  hint: {
    tax_id: 'Eight digits; on every document.',
    jp_tax_id: 'T and 13 digits; on those with Japan’s tax.',
  },
  logo: {
    alt: 'The logo',
    remove: 'Remove logo',
    refused: 'Use a PNG or JPEG of at most 512 kB and 4 million pixels.',
  },
  days_range: 'Enter 1 to {{most}} days.',
  save: 'Save',
  reset: 'Discard changes',
  saved: 'Agency details saved',
} as const
