/** Fields that the demo coupons share. */
const coupon = {
  enabled: true,
  duration: 'once',
  discount_apply_individually: false,
  discount_apply_before_sales: false,
  minimum_order_value: 0,
  redeem_limit_store_enabled: false,
  redeem_limit_store_amount: 0,
  redeem_limit_customer_enabled: false,
  redeem_limit_customer_amount: 0,
  usable_on_one_time_purchase: true,
  usable_on_subscription: false,
}

const coins = {
  slug: 'coins-500',
  name: '500 coins',
  price: 499,
  commands: [{ stage: 'on_purchase', content: 'eco give {customer.name} 500', online_only: false }],
}
const empty = { customers: {}, variables: {}, products: {}, coupons: {}, affiliateLinks: {}, bans: {} }

/** Commands that add a player to a group, and remove the player when the item ends for any reason. */
function membership(add: string, remove: string) {
  const ends = ['on_expire', 'on_refund', 'on_chargeback'].map((stage) => ({
    stage,
    content: remove,
    online_only: false,
  }))
  return [{ stage: 'on_purchase', content: add, online_only: false }, ...ends]
}

/**
 * The records of each demo store, as request bodies: enough to browse, search and check out. A record refers to another
 * one by its key in this object.
 */
export const demoCatalogs: Readonly<Record<string, DemoCatalog>> = {
  'demo-rust': {
    gameServer: 'EU main',
    customers: {
      mara: { steam_id: '76561198044127213', name: 'Mara Okafor', metadata: { discord: 'mara.o' } },
      jonas: { steam_id: '76561198061500944', name: 'Jonas Lindqvist' },
      zoe: { steam_id: '76561198102236870', name: 'Zoë Brandt', metadata: { note: 'runs the building contest' } },
      silas: { steam_id: '76561198120033477', name: 'Silas Reyes' },
    },
    variables: {
      size: {
        identifier: 'size',
        name: 'Size',
        type: 'dropdown',
        options: [
          { name: 'Small', value: 'small', price: 0, price_type: 'fixed', is_default: true },
          { name: 'Large', value: 'large', price: 150, price_type: 'percentage', is_default: false },
        ],
      },
    },
    products: {
      vip: {
        slug: 'vip-30-days',
        name: 'VIP, 30 days',
        description: 'A place ahead in the queue and a colored name.',
        price: 999,
        allow_subscription: true,
        subscription_interval_value: 1,
        subscription_interval_scale: 'month',
        remove_after_enabled: true,
        remove_after_time_value: 30,
        remove_after_time_scale: 'day',
        commands: membership(
          'oxide.usergroup add {customer.steam.id} vip',
          'oxide.usergroup remove {customer.steam.id} vip',
        ),
      },
      starter: {
        slug: 'starter-kit',
        name: 'Starter kit',
        description: 'Tools, a sleeping bag and 1,000 wood.',
        price: 499,
        custom_variable_ids: ['size'],
        commands: [
          {
            stage: 'on_purchase',
            content: 'kit give {customer.steam.id} starter-{variables.size}',
            online_only: false,
          },
        ],
      },
      skip: { slug: 'queue-skip', name: 'Queue skip', price: 299 },
    },
    coupons: {
      welcome: {
        ...coupon,
        code: 'WELCOME10',
        note: 'For first orders',
        discount_type: 'percent',
        discount_amount: 100,
      },
      wipe: {
        ...coupon,
        code: 'WIPEDAY',
        note: 'Five dollars off from twenty',
        discount_type: 'amount',
        discount_amount: 500,
        minimum_order_value: 2000,
        redeem_limit_store_enabled: true,
        redeem_limit_store_amount: 100,
      },
    },
    affiliateLinks: {
      streamer: {
        wallet_id: 'wallet-streamer-1',
        enabled: true,
        code: 'TEAM-RUSTY',
        referer_type: 'last_referer',
        tracking_length_days: 30,
        apply_for_subscriptions: false,
        discount_type: 'percentage',
        discount_amount: 50,
        commission_type: 'percentage',
        commission_amount: 100,
      },
    },
    bans: {
      cheater: {
        reason: 'Aimbot on EU main',
        identities: [
          { ban_type: 'steam', ban_type_value: '76561198120033477' },
          { ban_type: 'ip', ban_type_value: '203.0.113.41' },
        ],
      },
    },
  },
  'demo-minecraft': {
    customers: {
      amelie: { minecraft_uuid: '5b8f2e0a-94c1-4e0b-8a57-13c7c7a0f5d2', minecraft_platform: 'java', name: 'Amélie' },
      tuck: { xbox_xuid: '2535471099326001', minecraft_platform: 'bedrock', name: 'TuckTheFox' },
    },
    variables: {
      island: {
        identifier: 'island_name',
        name: 'Name of your island',
        type: 'text',
        value_regex: '^[A-Za-z0-9 ]{3,16}$',
      },
    },
    products: {
      knight: {
        slug: 'rank-knight',
        name: 'Rank: Knight',
        price: 1499,
        commands: membership(
          'lp user {customer.minecraft.uuid} parent add knight',
          'lp user {customer.minecraft.uuid} parent remove knight',
        ),
      },
      island: { slug: 'private-island', name: 'Private island', price: 2499, custom_variable_ids: ['island'] },
      coins,
    },
    coupons: {
      coins: {
        ...coupon,
        code: 'COINS20',
        discount_type: 'percent',
        discount_amount: 200,
        apply_to_products: ['coins'],
      },
    },
    affiliateLinks: {},
    bans: {},
  },
  'demo-minecraft-offline': { ...empty, products: { coins } },
  'demo-minecraft-geyser': { ...empty, products: { coins } },
}

export type DemoCatalog = Readonly<
  { gameServer?: string } & Record<
    'customers' | 'variables' | 'products' | 'coupons' | 'affiliateLinks' | 'bans',
    Readonly<Record<string, Body>>
  >
>

export type Body = Readonly<Record<string, unknown>>
