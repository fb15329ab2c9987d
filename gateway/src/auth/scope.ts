/** What an API key may be allowed to do; the stores service hands out no other scopes. */
export type Scope = `${Resource}:${'read' | 'write'}`

type Resource =
  | 'affiliate-links'
  | 'bans'
  | 'checkouts'
  | 'coupons'
  | 'custom-variables'
  | 'customers'
  | 'products'
  | 'search'
