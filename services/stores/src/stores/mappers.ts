import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { enumFromProto, present, timestampFromDate, timestampOrAbsent } from '@storekeep/common/message'
import type { EmailKind } from '@storekeep/proto/conventions/email-kinds'
import {
  EmailKind as ProtoEmailKind,
  Game as ProtoGame,
  TaxMode as ProtoTaxMode,
  TaxProvider as ProtoTaxProvider,
  type Store,
  StoreSchema,
} from '@storekeep/proto/stores/v1/store'
import type { CreateStoreRequest } from '@storekeep/proto/stores/v1/stores_service'
import type { StoreRow } from './db/schema.ts'
import { type Game, games, type TaxMode, type TaxProvider } from './domain/store.ts'
import { type DetailsInput, unsetDetails } from './domain/store-details.ts'
import type { StoreInput } from './domain/store-draft.ts'

export function storeInputFromProto(request: CreateStoreRequest): StoreInput {
  const { slug, name, currency, logoUrl, logoSquareUrl, bedrockPrefix, accentColor } = request
  const game = games.find((one) => gameToProto[one] === request.game)
  return { slug, name, game, currency, logoUrl, logoSquareUrl, bedrockPrefix, accentColor }
}

/** An absent store has no fields set. */
export function detailsFromProto(store: Store = create(StoreSchema)): DetailsInput {
  const { links, seller, tax } = store
  return {
    name: store.name,
    description: store.description,
    logoUrl: store.logoUrl,
    logoSquareUrl: store.logoSquareUrl,
    iconUrl: store.iconUrl,
    accentColor: store.accentColor,
    websiteUrl: store.websiteUrl,
    supportEmail: store.supportEmail,
    replyTo: store.replyTo,
    termsUrl: links?.terms,
    privacyUrl: links?.privacy,
    refundsUrl: links?.refunds,
    sellerName: seller?.name,
    sellerAddress: seller?.address,
    sellerTaxId: seller?.taxId,
    sellerRegister: seller?.register,
    timeZone: store.timeZone === '' ? unsetDetails.timeZone : store.timeZone,
    taxMode: tax?.mode ? enumFromProto(taxModeToProto, tax.mode) : unsetDetails.taxMode,
    taxProvider: tax?.provider ? enumFromProto(taxProviderToProto, tax.provider) : unsetDetails.taxProvider,
    taxCountry: tax?.country,
    taxRegistrations: (tax?.registrations ?? []).map(({ country, rate, name }) => ({
      country,
      rate: rate ?? null,
      name,
    })),
    disabledEmails: store.disabledEmails.map((kind) => enumFromProto(emailKindToProto, kind)),
    storePageEnabled: store.storePageEnabled,
  }
}

export function storeToProto(row: StoreRow): MessageInitShape<typeof StoreSchema> {
  return present({
    id: row.id,
    slug: row.slug,
    name: row.name,
    game: gameToProto[row.game],
    currency: row.currency,
    logoUrl: row.logoUrl,
    logoSquareUrl: row.logoSquareUrl,
    bedrockPrefix: row.bedrockPrefix,
    accentColor: row.accentColor,
    description: row.description,
    iconUrl: row.iconUrl,
    websiteUrl: row.websiteUrl,
    supportEmail: row.supportEmail,
    replyTo: row.replyTo,
    links: present({ terms: row.termsUrl, privacy: row.privacyUrl, refunds: row.refundsUrl }),
    seller: present({
      name: row.sellerName,
      address: row.sellerAddress,
      taxId: row.sellerTaxId,
      register: row.sellerRegister,
    }),
    timeZone: row.timeZone,
    tax: present({
      mode: taxModeToProto[row.taxMode],
      provider: taxProviderToProto[row.taxProvider],
      country: row.taxCountry,
      registrations: row.taxRegistrations.map(present),
    }),
    disabledEmails: row.disabledEmails.map((kind) => emailKindToProto[kind]),
    storePageEnabled: row.storePageEnabled,
    version: BigInt(row.version),
    createdAt: timestampFromDate(row.createdAt),
    updatedAt: timestampOrAbsent(row.updatedAt),
  })
}

const gameToProto = {
  rust: ProtoGame.RUST,
  minecraft: ProtoGame.MINECRAFT,
  minecraft_offline: ProtoGame.MINECRAFT_OFFLINE,
  minecraft_geyser: ProtoGame.MINECRAFT_GEYSER,
} as const satisfies Record<Game, ProtoGame>

const taxModeToProto = {
  none: ProtoTaxMode.NONE,
  inclusive: ProtoTaxMode.INCLUSIVE,
  exclusive: ProtoTaxMode.EXCLUSIVE,
} as const satisfies Record<TaxMode, ProtoTaxMode>

const taxProviderToProto = {
  registrations: ProtoTaxProvider.REGISTRATIONS,
} as const satisfies Record<TaxProvider, ProtoTaxProvider>

const emailKindToProto = {
  receipt: ProtoEmailKind.RECEIPT,
  refund: ProtoEmailKind.REFUND,
  gift_received: ProtoEmailKind.GIFT_RECEIVED,
  subscription_renewed: ProtoEmailKind.SUBSCRIPTION_RENEWED,
  payment_failed: ProtoEmailKind.PAYMENT_FAILED,
  subscription_ending: ProtoEmailKind.SUBSCRIPTION_ENDING,
} as const satisfies Record<EmailKind, ProtoEmailKind>
