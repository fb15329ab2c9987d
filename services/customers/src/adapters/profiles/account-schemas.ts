import { z } from 'zod'

/** A display name from a provider. Rejects control characters and lone surrogates, because clients render it. */
export const accountName = z
  .string()
  .min(1)
  .max(64)
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name) && name.trim() !== '', 'is not a valid name')

/** An image URL from a provider. Browsers load it, so only plain http(s) URLs pass. */
export const avatarAddress = z
  .string()
  .max(512)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && !/[\s\\\p{Cc}]/u.test(text)
  }, 'is not an http(s) URL')
