import { z } from 'zod'
import { flakeId } from '../../schemas/fields.ts'

export const couponPath = z.object({ couponId: flakeId.describe('Id of the coupon.') })
