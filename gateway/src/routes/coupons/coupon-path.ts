import { flakeId } from '@storekeep/records/schemas/fields'
import { z } from 'zod'

export const couponPath = z.object({ couponId: flakeId.describe('Id of the coupon.') })
