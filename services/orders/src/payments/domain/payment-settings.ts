import type { SecretBox } from '@storekeep/common/crypto'
import { errors, type Violation, violation } from '@storekeep/common/errors'
import { textViolations } from '@storekeep/common/values'
import { paymentSettingsLimits } from '@storekeep/proto/conventions/limits'
import { type OfferedProvider, offeredProviders } from './payment.ts'

/** How a store is paid. Null means none. */
export interface PaymentSettings {
  /** Null: the default of the installation. */
  enabledProviders: readonly OfferedProvider[] | null
  manualInstructions: string | null
  /** Encrypted with `secretsOf`, and decrypted only to call the provider. */
  stripeSecretKey: Buffer | null
  stripeWebhookSecret: Buffer | null
  banOnChargeback: boolean
}

export const defaultSettings: PaymentSettings = {
  enabledProviders: null,
  manualInstructions: null,
  stripeSecretKey: null,
  stripeWebhookSecret: null,
  banOnChargeback: false,
}

/** An absent field is left unchanged; an empty text clears a setting. `invalid`: an unknown provider. */
export interface SettingsInput {
  enabledProviders: readonly (OfferedProvider | 'free' | 'invalid')[] | undefined
  manualInstructions: string | undefined
  stripeSecretKey: string | undefined
  stripeWebhookSecret: string | undefined
  banOnChargeback: boolean | undefined
}

/** The providers that shoppers can use, in the order in which they are offered. */
export function enabledProviders({ enabledProviders }: PaymentSettings, isTestAllowed: boolean): OfferedProvider[] {
  const enabled = enabledProviders ?? ['test']
  return offeredProviders.filter((one) => enabled.includes(one) && (one !== 'test' || isTestAllowed))
}

/** Encrypts and decrypts the secrets of a store. A sealed secret opens only as the same setting of the same store. */
export function secretsOf(box: SecretBox, storeId: string): StoreSecrets {
  const contextOf = (setting: SecretSetting) => `payment_settings ${storeId} ${setting}`
  return {
    seal: (setting, text) => box.seal(Buffer.from(text), contextOf(setting)),
    open: (setting, sealed) => box.open(sealed, contextOf(setting)).toString(),
  }
}

export interface StoreSecrets {
  seal(setting: SecretSetting, text: string): Buffer
  /** @throws Error if the secret cannot be decrypted */
  open(setting: SecretSetting, sealed: Buffer): string
}

type SecretSetting = 'stripe_secret_key' | 'stripe_webhook_secret'

/** @throws ServiceFault `validation-failed` naming every invalid field */
export function changeSettings(
  before: PaymentSettings,
  input: SettingsInput,
  isTestAllowed: boolean,
  { seal }: Pick<StoreSecrets, 'seal'>,
): PaymentSettings {
  const violations: Violation[] = []
  const providers = input.enabledProviders?.flatMap((one, index) => {
    const isKnown = one !== 'invalid' && one !== 'free' && (one !== 'test' || isTestAllowed)
    if (isKnown) return [one]
    violations.push(violation(`enabled_providers.${index}`, 'enum', 'is not a provider of this installation'))
    return []
  })
  const texts = [
    ['manual_instructions', input.manualInstructions, paymentSettingsLimits.instructionsLength],
    ['stripe_secret_key', input.stripeSecretKey, paymentSettingsLimits.secretLength],
    ['stripe_webhook_secret', input.stripeWebhookSecret, paymentSettingsLimits.secretLength],
  ] as const
  for (const [path, text, limit] of texts) {
    if (text !== undefined) violations.push(...textViolations(path, text, 0, limit))
  }
  if (input.stripeSecretKey && !/^[sr]k_(test|live)_\S+$/.test(input.stripeSecretKey)) {
    violations.push(violation('stripe_secret_key', 'format', 'must be a secret key of Stripe (sk_… or rk_…)'))
  }
  if (input.stripeWebhookSecret && !/^whsec_\S+$/.test(input.stripeWebhookSecret)) {
    violations.push(violation('stripe_webhook_secret', 'format', 'must be a signing secret of Stripe (whsec_…)'))
  }
  const after = {
    enabledProviders: providers ? [...new Set(providers)] : before.enabledProviders,
    manualInstructions: changed(input.manualInstructions, before.manualInstructions, (text) => text),
    stripeSecretKey: changed(input.stripeSecretKey, before.stripeSecretKey, (text) => seal('stripe_secret_key', text)),
    stripeWebhookSecret: changed(input.stripeWebhookSecret, before.stripeWebhookSecret, (text) =>
      seal('stripe_webhook_secret', text),
    ),
    banOnChargeback: input.banOnChargeback ?? before.banOnChargeback,
  }
  const needs = (provider: OfferedProvider, setting: keyof typeof after, path: string) => {
    if (after.enabledProviders?.includes(provider) && after[setting] === null) {
      violations.push(violation(path, 'required', `is required for the provider ${provider}`))
    }
  }
  needs('manual', 'manualInstructions', 'manual_instructions')
  needs('stripe', 'stripeSecretKey', 'stripe_secret_key')
  needs('stripe', 'stripeWebhookSecret', 'stripe_webhook_secret')
  if (violations.length > 0) throw errors.validationFailed(violations)
  return after
}

function changed<T>(input: string | undefined, before: T | null, store: (text: string) => T): T | null {
  if (input === undefined) return before
  return input === '' ? null : store(input)
}
