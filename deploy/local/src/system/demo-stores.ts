import { Game } from '@storekeep/proto/stores/v1/store'

/** A demo store for each platform. `label` is the game in the API. */
export const demoStores = [
  {
    slug: 'demo-rust',
    name: 'Rusty Isles',
    game: Game.RUST,
    label: 'rust',
    currency: 'usd',
    accentColor: '#b4531a',
    images: 'rust',
    description: 'Kits, ranks and queue skips for our two Rust servers. Everything arrives within seconds.',
    seller: {
      name: 'Rusty Isles Ltd',
      address: '7 Harbour Row\nGalway\nH91 X2Y3\nIreland',
      taxId: 'IE1234567T',
      register: 'CRO 000000',
    },
    timeZone: 'Europe/Dublin',
  },
  {
    slug: 'demo-minecraft',
    name: 'Cubeville',
    game: Game.MINECRAFT,
    label: 'minecraft',
    currency: 'usd',
    accentColor: '#3f7f2a',
    images: 'minecraft',
    description: 'Ranks, islands and coins for the Cubeville network.',
    seller: { name: 'Cubeville GmbH', address: 'Beispielweg 4\n10115 Berlin\nGermany', taxId: 'DE123456789' },
    timeZone: 'Europe/Berlin',
  },
  {
    slug: 'demo-minecraft-offline',
    name: 'Oak Hollow',
    game: Game.MINECRAFT_OFFLINE,
    label: 'minecraft_offline',
    currency: 'usd',
    accentColor: '#8a5a24',
    images: 'minecraft-offline',
    description: 'Coins and crate keys for a small survival world.',
    seller: { name: 'Oak Hollow', address: '12 Example Street\nPortland, OR 97201\nUSA' },
    timeZone: 'America/Los_Angeles',
  },
  {
    slug: 'demo-minecraft-geyser',
    name: 'Geyser Bay',
    game: Game.MINECRAFT_GEYSER,
    label: 'minecraft_geyser',
    currency: 'usd',
    accentColor: '#1f7a78',
    images: 'minecraft-geyser',
    description: 'One store for Java and Bedrock players.',
    seller: { name: 'Geyser Bay', address: '1 Example Quay\nSydney NSW 2000\nAustralia' },
    timeZone: 'Australia/Sydney',
  },
] as const

export type DemoStoreTerms = (typeof demoStores)[number]

/**
 * What a demo store says about itself.
 * @param siteUrl the address of the demo site; without it, the store has no images, and links that lead nowhere
 */
export function detailsOf(terms: DemoStoreTerms, siteUrl: string | undefined) {
  const { slug, images, description, seller, timeZone, accentColor } = terms
  const host = `${slug}.example.com`
  const website = siteUrl === undefined ? `https://${host}` : `${siteUrl}/${slug}`
  const image = (name: string) => siteUrl && imageUrl(siteUrl, `${images}-${name}`)
  const [logoUrl, iconUrl] = [image('logo'), image('icon')]
  return {
    description,
    accentColor,
    ...(logoUrl && { logoUrl }),
    ...(iconUrl && { logoSquareUrl: iconUrl, iconUrl }),
    websiteUrl: website,
    supportEmail: `help@${host}`,
    links: { terms: `${website}/terms`, privacy: `${website}/privacy`, refunds: `${website}/refunds` },
    seller,
    timeZone,
    storePageEnabled: true,
  }
}

/** The fields that `detailsOf` sets, with and without images. */
export const detailPaths = [
  ...['description', 'accent_color', 'logo_url', 'logo_square_url', 'icon_url', 'website_url', 'support_email'],
  ...['links.terms', 'links.privacy', 'links.refunds', 'seller.name', 'seller.address', 'seller.tax_id'],
  ...['seller.register', 'time_zone', 'store_page_enabled'],
]

/** Where the demo site has an image. */
export function imageUrl(siteUrl: string, name: string): string {
  return `${siteUrl}/images/${name}.webp`
}
