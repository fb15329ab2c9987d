import { z } from 'zod'

/** A name that a provider may give: people and programs will show it. */
export const accountName = z
  .string()
  .min(1)
  .max(64)
  .refine((name) => !/[\p{Cc}\p{Cs}]/u.test(name) && name.trim() !== '', 'is not a name')

/** The address of a picture, which browsers will load. */
export const avatarAddress = z
  .string()
  .max(512)
  .refine((text) => {
    const url = URL.parse(text)
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && !/[\s\\\p{Cc}]/u.test(text)
  }, 'is not a web address')
