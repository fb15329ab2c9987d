import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

/** Path parameters of one coupon. */
export const couponPath = z.object({ couponId: flakeId })
