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
  description: 'Coins for the market, the auction house and everything else that players sell.',
  price: 499,
  image: 'minecraft-coins',
  tags: ['coins'],
  sort_order: 1,
  commands: [{ stage: 'on_purchase', content: 'eco give {customer.name} 500', online_only: false }],
}
const crateKey = {
  slug: 'crate-key',
  name: 'Crate key',
  description: 'Opens one crate at spawn. **Possible contents:** coins, tools, or a head of the staff.',
  price: 299,
  image: 'minecraft-crate-key',
  tags: ['coins'],
  sort_order: 2,
  commands: [{ stage: 'on_purchase', content: 'crate key give {customer.name} 1', online_only: false }],
}
const coinTag = { coins: { name: 'Coins and keys', slug: 'coins', sort_order: 1 } }
const empty = { customers: {}, variables: {}, tags: coinTag, products: {}, coupons: {}, affiliateLinks: {}, bans: {} }

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
 * one by its key in this object. `image` is the name of a file in `demo-images`.
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
    tags: {
      ranks: { name: 'Ranks', slug: 'ranks', sort_order: 1 },
      kits: { name: 'Kits', slug: 'kits', sort_order: 2 },
      extras: { name: 'Extras', slug: 'extras', sort_order: 3 },
    },
    products: {
      vip: {
        slug: 'vip-30-days',
        name: 'VIP, 30 days',
        description:
          'A place ahead in the queue and a colored name, on both servers.\n\n- Joins full servers\n- Gold name in chat\n- Ends after 30 days',
        label: 'Popular',
        price: 999,
        image: 'rust-vip',
        tags: ['ranks'],
        sort_order: 1,
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
        description: 'Tools, a sleeping bag and 1,000 wood. The large kit adds a **bow** and 2,000 stone.',
        price: 499,
        image: 'rust-starter-kit',
        tags: ['kits'],
        sort_order: 2,
        custom_variable_ids: ['size'],
        commands: [
          {
            stage: 'on_purchase',
            content: 'kit give {customer.steam.id} starter-{variables.size}',
            online_only: false,
          },
        ],
      },
      builder: {
        slug: 'builder-kit',
        name: 'Builder kit',
        description: 'A hammer, a building plan and 5,000 stone: enough for a base that survives the first night.',
        price: 1299,
        image: 'rust-builder-kit',
        tags: ['kits'],
        sort_order: 3,
        commands: [{ stage: 'on_purchase', content: 'kit give {customer.steam.id} builder', online_only: true }],
      },
      skip: {
        slug: 'queue-skip',
        name: 'Queue skip',
        description: 'Lets you pass the queue of a full server once.',
        price: 299,
        image: 'rust-queue-skip',
        tags: ['extras'],
        sort_order: 4,
      },
      supporter: {
        slug: 'supporter-badge',
        name: 'Supporter badge',
        description: 'Keeps the servers running. Your name gets a heart in chat, for good.',
        price: 1499,
        image: 'rust-supporter',
        tags: ['extras'],
        sort_order: 5,
        commands: membership(
          'oxide.usergroup add {customer.steam.id} supporter',
          'oxide.usergroup remove {customer.steam.id} supporter',
        ),
      },
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
    tags: {
      ranks: { name: 'Ranks', slug: 'ranks', sort_order: 0 },
      ...coinTag,
      islands: { name: 'Islands and pets', slug: 'islands-and-pets', sort_order: 3 },
    },
    products: {
      knight: {
        slug: 'rank-knight',
        name: 'Rank: Knight',
        description: 'Knights own three homes, `/hat` and a blue name in chat.',
        price: 1499,
        image: 'minecraft-rank-knight',
        tags: ['ranks'],
        sort_order: 1,
        commands: membership(
          'lp user {customer.minecraft.uuid} parent add knight',
          'lp user {customer.minecraft.uuid} parent remove knight',
        ),
      },
      dragon: {
        slug: 'rank-dragon',
        name: 'Rank: Dragon',
        description:
          'Everything of the Knight, and:\n\n- `/fly` in your own regions\n- Ten homes\n- A dragon egg on your head',
        label: 'Best value',
        price: 2999,
        image: 'minecraft-rank-dragon',
        tags: ['ranks'],
        sort_order: 2,
        commands: membership(
          'lp user {customer.minecraft.uuid} parent add dragon',
          'lp user {customer.minecraft.uuid} parent remove dragon',
        ),
      },
      coins,
      crateKey,
      island: {
        slug: 'private-island',
        name: 'Private island',
        description: 'An island in the skyblock world that only you and your friends can enter.',
        price: 2499,
        image: 'minecraft-private-island',
        tags: ['islands'],
        sort_order: 3,
        custom_variable_ids: ['island'],
      },
      fox: {
        slug: 'pet-fox',
        name: 'Pet: Fox',
        description: 'A fox that follows you and sleeps at your bed.',
        price: 799,
        image: 'minecraft-pet-fox',
        tags: ['islands'],
        sort_order: 4,
        commands: [{ stage: 'on_purchase', content: 'pet give {customer.name} fox', online_only: true }],
      },
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
  'demo-minecraft-offline': { ...empty, products: { coins, crateKey } },
  'demo-minecraft-geyser': {
    ...empty,
    tags: { ...coinTag, extras: { name: 'Extras', slug: 'extras', sort_order: 2 } },
    products: {
      coins,
      crossplay: {
        slug: 'crossplay-pack',
        name: 'Crossplay pack',
        description: 'Menus made for controllers and touch, and a colored name on every device.',
        price: 599,
        image: 'minecraft-crossplay',
        tags: ['extras'],
        sort_order: 3,
        commands: [{ stage: 'on_purchase', content: 'crossplay unlock {customer.name}', online_only: false }],
      },
    },
  },
}

export type DemoCatalog = Readonly<
  { gameServer?: string } & Record<
    'customers' | 'variables' | 'tags' | 'products' | 'coupons' | 'affiliateLinks' | 'bans',
    Readonly<Record<string, Body>>
  >
>

export type Body = Readonly<Record<string, unknown>>
