/** What the interface answers, as the contract describes it; written down here once more, independently of the product. */
export interface CustomerBody {
  id: string
  store_id: string
  profile: { id: string; platform: string; name: string; avatar_url: string | null } | null
  steam_id: string | null
  steam: AccountBody | null
  minecraft_uuid: string | null
  minecraft: AccountBody | null
  minecraft_platform: 'unknown' | 'java' | 'bedrock' | null
  xbox_xuid: string | null
  name: string | null
  created_at: string
  updated_at: string | null
  metadata: Record<string, string>
}

export interface AccountBody {
  id: string
  name: string
  avatar_url: string | null
}

export interface BanBody {
  id: string
  store_id: string
  reason: string
  enabled: boolean
  identities: BanIdentityBody[]
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
  expires_at: string | null
}

export interface BanIdentityBody {
  ban_type: string
  ban_type_value: string
}

export interface CustomVariableBody {
  id: string
  store_id: string
  identifier: string
  name: string
  description: string
  type: 'dropdown' | 'text' | 'number'
  value_regex: string | null
  options: CustomVariableOptionBody[]
  created_by: ActorBody
  created_at: string
  updated_by: ActorBody | null
  updated_at: string | null
}

export interface CustomVariableOptionBody {
  id: string
  store_id: string
  custom_variable_id: string
  name: string
  value: string
  price: number
  price_type: 'fixed' | 'percentage'
  is_default: boolean
  sort_order: number
}

export interface ActorBody {
  type: string
  id: string | null
}

export interface PortalSessionBody {
  id: string
  store_id: string
  customer_id: string
  created_at: string
  expires_at: string
  flow: unknown
  return_url: string | null
  token: string
  url: string
}

export interface StoreBody {
  id: string
  slug: string
  name: string
  game: string
  currency: string
  logo_url: string | null
  logo_square_url: string | null
}

export interface ServiceErrorBody {
  status: number
  code: string
  message: string
  trace_id: string | null
  errors: { code: string; message: string; path: string; validation: string }[] | null
}
