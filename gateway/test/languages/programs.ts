/**
 * What users of generated clients write: a record that was read is written back, the scheme of the key is set, and a
 * profile is used without checking for null.
 */
export const pythonProgram = `
from storekeep import AuthenticatedClient
from storekeep.api.coupons import create_coupon, get_coupon
from storekeep.models import CouponDto, CreateCouponDto, CustomerDto, UpsertCustomerRequestDto

client = AuthenticatedClient(base_url="http://127.0.0.1", token="key", prefix="APIKey")


def copy_coupon(coupon_id: str) -> None:
    coupon = get_coupon.sync("1", coupon_id, client=client)
    if isinstance(coupon, CouponDto):
        body = CreateCouponDto(
            code=coupon.code + "2",
            discount_type=coupon.discount_type,
            discount_amount=coupon.discount_amount,
            duration=coupon.duration,
            expires_at=coupon.expires_at,
        )
        create_coupon.sync("1", client=client, body=body)


def name_of(customer: CustomerDto) -> str:
    UpsertCustomerRequestDto(minecraft_platform=customer.minecraft_platform)
    return customer.profile.name
`

export const goProgram = `package program

import "example.com/program/storekeep"

func CopyCoupon(coupon storekeep.CouponDto) storekeep.CreateCouponDto {
	return storekeep.CreateCouponDto{
		Code:           coupon.Code + "2",
		DiscountType:   coupon.DiscountType,
		DiscountAmount: coupon.DiscountAmount,
		Duration:       &coupon.Duration,
	}
}

func NameOf(customer storekeep.CustomerDto) string {
	return customer.Profile.Name
}
`

export const javaProgram = `
import org.openapitools.client.model.*;

class Program {
  static CreateCouponDto copyCoupon(CouponDto coupon) {
    return new CreateCouponDto()
        .code(coupon.getCode() + "2")
        .discountType(coupon.getDiscountType())
        .discountAmount(coupon.getDiscountAmount())
        .duration(coupon.getDuration());
  }

  static String nameOf(CustomerDto customer) {
    return customer.getProfile().getName();
  }
}
`
